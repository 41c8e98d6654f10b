import { existsSync, linkSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createTestUser } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../../tools/testing/create-postgres-database.ts'
import { openCore } from '../testing/open-core.ts'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

let here: Workplace
let database: PostgresDatabase
let source: string
beforeEach(async () => {
  here = createWorkplace()
  source = here.env.COUNTERSIGN_DATABASE_URL ?? ''
  database = await createPostgresDatabase()
})
afterEach(async () => {
  await database.drop()
  here.remove()
})

interface Moved {
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
}

/** Creates a database with its schema and these users. */
const givenUsers = async (...emails: readonly string[]): Promise<void> => {
  const core = await openCore(here)
  for (const email of emails) await createTestUser(core, { email })
  await core.close()
}

/** Returns another name for the file of the source. */
const link = (make: (existing: string, path: string) => void): string => {
  const path = join(here.directory, 'link.db')
  make(join(here.directory, 'countersign.db'), path)
  return path
}

const move = (to: string, from = source) => ['migrate-data', '--from', from, '--to', to]

describe('migrate-data', () => {
  it('lists each table with its rows, and the target then holds the same data', async () => {
    await givenUsers('ada@example.com', 'grace@example.com')
    const { tables } = (await here.json(move(database.url))) as Moved
    expect(tables).toContainEqual({ name: 'users', rows: 2 })
    expect(tables).toContainEqual({ name: 'sessions', rows: 0 })

    const there = { env: { COUNTERSIGN_DATABASE_URL: database.url } }
    expect(await here.json(['user', 'list'], there)).toStrictEqual(await here.json(['user', 'list']))
    expect(await here.json(['schema', 'list'], there)).toStrictEqual(await here.json(['schema', 'list']))
  })

  it('moves the data back into a new SQLite file', async () => {
    await givenUsers('ada@example.com')
    await here.json(move(database.url))
    const back = `sqlite:${join(here.directory, 'back', 'countersign.db')}`
    const { tables } = (await here.json(move(back, database.url))) as Moved
    expect(tables).toContainEqual({ name: 'users', rows: 1 })
    const { stdout } = await here.run(move(`sqlite:${join(here.directory, 'third.db')}`, back))
    expect(stdout).toMatch(/^users\t1\tyes$/m)
  })

  it('works without any keys', async () => {
    await givenUsers()
    const env = { NODE_ENV: 'production', COUNTERSIGN_JWT_KEYS: undefined, COUNTERSIGN_ENCRYPTION_KEYS: undefined }
    await here.json(move(database.url), { env })
  })

  it.each([
    ['without a target', ['migrate-data', '--from', 'sqlite:a.db'], 2, /--to <url>.* not specified/],
    ['without a source', ['migrate-data', '--to', 'sqlite:a.db'], 2, /--from <url>.* not specified/],
    ['from a missing file', move('sqlite:b.db', 'sqlite:a.db'), 1, /^error: sqlite:a\.db does not exist\n$/],
    [
      'from an address that is no database',
      move('sqlite:a.db', 'mysql://localhost/a'),
      1,
      /^error: .*must be sqlite:<path> or postgres:/,
    ],
  ])('is refused in one line: %s', async (_, args, code, complaint) => {
    await givenUsers()
    expect(await here.runProcess(args)).toStrictEqual({ code, stdout: '', stderr: expect.stringMatching(complaint) })
    expect(existsSync(join(here.directory, 'a.db'))).toBe(false)
  })

  it.each([
    ['by the same name', () => source],
    ['by a relative path', () => 'sqlite:./countersign.db'],
    ['by a longer path', () => `sqlite:${here.directory}/../${basename(here.directory)}/countersign.db`],
    ['by a symbolic link', () => `sqlite:${link(symlinkSync)}`],
    ['by a hard link', () => `sqlite:${link(linkSync)}`],
  ])('is refused if the target is the source database: %s', async (_, itself) => {
    await givenUsers('ada@example.com')
    const { code, stdout, stderr } = await here.runProcess(move(itself()))
    expect({ code, stdout, stderr }).toStrictEqual({ code: 1, stdout: '', stderr: 'error: Both databases are the same\n' })
  })

  it('leaves no extra files in the folder of the target, whether the move succeeds or is refused', async () => {
    await givenUsers('ada@example.com')
    const filesAfter = async (from: string): Promise<readonly string[]> => {
      const folder = mkdtempSync(join(here.directory, 'target-'))
      await here.run(move(`sqlite:${join(folder, 'target.db')}`, from))
      return readdirSync(folder)
    }
    expect(await filesAfter(source)).toStrictEqual(['target.db'])
    const behind = `sqlite:${join(here.directory, 'behind.db')}`
    await here.run(['migrate', '--status'], { env: { COUNTERSIGN_DATABASE_URL: behind } })
    expect(await filesAfter(behind)).toStrictEqual(['target.db'])
  })

  it('names the table in which the target has other data', async () => {
    await givenUsers('ada@example.com')
    await here.json(move(database.url))
    await givenUsers('grace@example.com')
    const { code, stdout, stderr } = await here.run([...move(database.url), '--json'])
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error: The target holds other data already \(users\); .*\n$/)
  })
})
