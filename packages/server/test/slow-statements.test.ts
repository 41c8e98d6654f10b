import { generateKeyRing, systemRandom } from '@countersign/core'
import { recordingLogger } from '@countersign/core/testing'
import { openCountersign, readConfig } from '@countersign/server'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'

it('a statement that takes long is logged with its text, and without its values', async () => {
  const { url, drop } = await createPostgresDatabase()
  onTestFinished(drop)
  const env = {
    COUNTERSIGN_DATABASE_URL: url,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
  }
  const logger = recordingLogger()
  const open = async (threshold: string) => {
    const opened = await openCountersign(readConfig({ ...env, COUNTERSIGN_SLOW_STATEMENT_MILLISECONDS: threshold }), { logger })
    onTestFinished(() => opened.close())
    return opened
  }
  const watched = await open('200')
  await watched.storage.migrate()
  const unwatched = await open('0')
  const blocker = new pg.Client({ connectionString: url })
  await blocker.connect()
  onTestFinished(() => blocker.end())

  await blocker.query('begin; lock table countersign.users in access exclusive mode')
  const finding = [watched, unwatched].map(({ countersign }) =>
    countersign.users.find({ email: 'secret@example.test' }).catch(() => {}),
  )
  await blocker.query('select pg_sleep(0.4)')
  await blocker.query('commit')
  await Promise.all(finding)

  expect(logger.entries.filter(({ event }) => event === 'slow_statement')).toEqual([
    {
      level: 'warn',
      event: 'slow_statement',
      fields: { statement: expect.stringMatching(/^select .*"users"/), durationMs: expect.any(Number) },
    },
  ])
  expect(JSON.stringify(logger.entries)).not.toContain('secret@')
})
