import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shownDatabase } from './config/database-url.ts'
import { openStorage } from './open-storage.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'countersign-storage-'))
})
afterEach(() => rm(root, { recursive: true }))

it('a SQLite database is opened in a new folder that only this user can read', async () => {
  const storage = await openStorage(`sqlite:${join(root, 'deep', 'er', 'countersign.db')}`)
  try {
    expect((await storage.migrate()).length).toBeGreaterThan(0)
    await storage.ping()
  } finally {
    await storage.close()
  }
  expect((await stat(join(root, 'deep'))).mode & 0o777).toBe(0o700)
})

it('a SQLite database that cannot be opened is reported in one line', async () => {
  const path = join(root, 'not-a-folder', 'x.db')
  await writeFile(join(root, 'not-a-folder'), '')
  await expect(openStorage(`sqlite:${path}`)).rejects.toMatchObject({
    name: 'StartupError',
    lines: [expect.stringMatching(`^the database sqlite:${path} cannot be opened: .+ \\(\\w+\\)$`)],
  })
})

it('an unavailable PostgreSQL server is reported in one line, without user and password', async () => {
  await expect(openStorage('postgres://user:hunter2@127.0.0.1:1/countersign?password=hunter2')).rejects.toMatchObject({
    name: 'StartupError',
    lines: ['the database postgres://127.0.0.1:1/countersign cannot be opened: nothing listens there (ECONNREFUSED)'],
  })
})

it('a silent PostgreSQL server is reported in one line', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  try {
    const { port } = silent.address() as AddressInfo
    await expect(openStorage(`postgres://user:hunter2@127.0.0.1:${port}/countersign`)).rejects.toMatchObject({
      name: 'StartupError',
      lines: [`the database postgres://127.0.0.1:${port}/countersign cannot be opened: nothing answered in time (ETIMEDOUT)`],
    })
  } finally {
    silent.close()
  }
})

it.each(['mysql://root:hunter2@db/x', 'postgres://[', 'hunter2'])(
  'a URL like %s opens nothing and is not displayed',
  async (url) => {
    await expect(openStorage(url)).rejects.toMatchObject({
      lines: ['the URL of the database: must be sqlite:<path> or postgres://<user>:<password>@<host>/<database>'],
    })
  },
)

it.each(['/s3cret', '5/s3cret', '5?s3cret', '5#s3cret', 's3cret@/s3cret'])(
  'a database URL whose password is not percent-encoded is refused without a part of it: %s',
  async (password) => {
    const url = `postgres://app:${password}@127.0.0.1:1/countersign`
    await expect(openStorage(url)).rejects.toMatchObject({
      lines: [expect.stringMatching(/^the URL of the database: percent-encode the password: (?!.*s3cret)/)],
    })
    expect(shownDatabase(url)).toBe('')
  },
)

it.each(['countersign.db ', 'countersign.db\r', 'countersign.db?mode=rwc'])(
  'a SQLite path that the driver would read in another way makes no file and no folder: %j',
  async (name) => {
    const folder = join(root, 'other-reading')
    await expect(openStorage(`sqlite:${join(folder, name)}`)).rejects.toMatchObject({
      lines: [expect.stringMatching(/^the URL of the database: the path after sqlite: must not /)],
    })
    expect(existsSync(folder)).toBe(false)
  },
)

it('a database address is displayed without secrets', () => {
  expect(shownDatabase('sqlite:/var/lib/x.db')).toBe('sqlite:/var/lib/x.db')
  expect(shownDatabase('postgresql://u:p%40@db.example.test:5433/app?user=u&password=p')).toBe(
    'postgresql://db.example.test:5433/app',
  )
  expect(shownDatabase('postgres://u:p@one.test:5433,[2001:db8::1]/app?sslmode=require')).toBe(
    'postgres://one.test:5433,[2001:db8::1]/app',
  )
  expect(shownDatabase('hunter2')).toBe('')
})
