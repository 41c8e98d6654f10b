import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freezePostgres } from '../../../tools/testing/freeze-postgres.ts'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { startServerProcess } from '../src/testing/server-process.ts'

const LONGEST_STOP = 10_000

it('SIGTERM ends a server with a hanging PostgreSQL in time, with exit code 0', { timeout: 60_000 }, async () => {
  const database = await startPostgres()
  onTestFinished(() => database.remove())
  const cwd = await mkdtemp(join(tmpdir(), 'countersign-shutdown-'))
  onTestFinished(() => rm(cwd, { recursive: true }))
  const env = { COUNTERSIGN_DATABASE_URL: database.url, COUNTERSIGN_RATE_LIMITS: 'off' }
  const server = await startServerProcess({ cwd, env })
  onTestFinished(() => server.kill('SIGKILL'))

  const challenge = () =>
    fetch(`${server.url}/api/v1/auth/mobile/challenge`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ deviceFingerprint: 'none' }),
    }).then(
      ({ status }) => status,
      () => 'hung up',
    )
  const crowd = (size: number) => Promise.all(Array.from({ length: size }, challenge))
  expect(new Set(await crowd(40))).toEqual(new Set([200]))
  onTestFinished(await freezePostgres(database))
  // Some connections wait for a response, and some are idle.
  const statuses = crowd(3)
  const time = startStopwatch()
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(time()).toBeLessThan(LONGEST_STOP)
  expect(server.lines.at(-1)).toMatchObject({ event: 'closed' })
  expect(new Set(await statuses)).toEqual(new Set([503]))
})
