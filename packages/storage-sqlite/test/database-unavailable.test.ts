import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Unavailable } from '@countersign/core/storage'
import { aNewUser, aSession, noWaits, clockStart as now } from '@countersign/core/testing'
import { createStorage, storedParts, tablesOf } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../src/connect.ts'
import { dialectFeatures } from '../src/dialect-features.ts'
import { sqliteEngine } from '../src/engine.ts'
import { asUnavailable } from '../src/errors.ts'
import { openSqlite } from '../src/index.ts'
import { retryWhileBusy } from '../src/retry-while-busy.ts'
import { openMigrated, TABLE_PREFIX } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

describe('a database that cannot be opened', () => {
  it.each([
    ['its directory is missing', (path: string) => join(path, 'missing', 'test.db'), 'no such file or directory'],
    ['it is a directory', (path: string) => dirname(path), 'unable to open database file'],
    [
      'it is not a database',
      (path: string) => {
        writeFileSync(path, 'This is a letter, and a rather long one, to somebody who asked for a database.'.repeat(100))
        return path
      },
      'file is not a database',
    ],
  ])('is reported with its path and the cause, in one line: %s', async (_, place, why) => {
    const path = place(temporaryPath())
    const error = await openSqlite({ path }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(String(error)).toContain(`The SQLite database ${path} cannot be opened: `)
    expect(String(error)).toContain(why)
    expect(String(error)).not.toContain('\n')
  })
})

it.each(['', ':memory:'])(
  'the in-memory path %j is refused, because each connection would have its own database',
  async (path) => {
    await expect(openSqlite({ path })).rejects.toThrow(/^path must name a file: /)
  },
)

it.each([' ', '\r', '\n', '\t', '\u00a0'])('a path that ends with %j is refused, and no file is created', async (end) => {
  const path = temporaryPath()
  await expect(openSqlite({ path: `${path}${end}` })).rejects.toThrow(RangeError)
  expect(readdirSync(dirname(path))).toStrictEqual([])
})

describe('a new database', () => {
  it('is not created through a dangling symbolic link, where everybody could read it', async () => {
    const path = temporaryPath()
    const target = `${path}-elsewhere`
    symlinkSync(target, path)
    await expect(openSqlite({ path })).rejects.toThrow(Unavailable)
    expect(existsSync(target)).toBe(false)
  })

  it('can be read by its owner only, and so can its journal files', async () => {
    const path = temporaryPath()
    await openMigrated(path)
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is created at the given path, even when the file is called ":memory:"', async () => {
    const directory = dirname(temporaryPath())
    mkdirSync(join(directory, 'data'))
    await openMigrated(join(directory, 'data', ':memory:'))
    expect(statSync(join(directory, 'data', ':memory:')).size).toBeGreaterThan(0)
  })
})

describe('an unavailable database', () => {
  /** Opens a storage whose connections the test can manipulate. */
  const given = async () => {
    const path = temporaryPath()
    await openMigrated(path)
    const connections = await connect(path)
    const storage = createStorage({
      engine: sqliteEngine(path, connections, TABLE_PREFIX, tablesOf(storedParts())),
      features: dialectFeatures(TABLE_PREFIX),
      parts: storedParts(),
    })
    onTestFinished(() => storage.close())
    const [user] = await storage.users.create([aNewUser()])
    if (user === undefined) throw new Error('the email is taken')
    return { path, storage, user, ...connections }
  }

  it('because the disk is full: reads work, large writes fail, and the storage recovers', async () => {
    const { storage, writer, user } = await given()
    const pages = writer.pragma('page_count', { simple: true })
    writer.pragma(`max_page_count = ${String(pages)}`)
    const fill = () =>
      storage.transaction(async (tx) => {
        for (let index = 0; index < 100; index += 1) await tx.sessions.open(aSession({ userId: user.id }))
      })
    await expect(fill()).rejects.toBeInstanceOf(Unavailable)
    // The ping writes no data, so it does not notice the full disk.
    await expect(storage.ping()).resolves.toBeUndefined()
    expect(await storage.users.byId(user.id)).toStrictEqual(user)
    expect(await storage.sessions.ofUser(user.id, now)).toStrictEqual([])
    writer.pragma('max_page_count = 100000')
    await fill()
    expect(await storage.sessions.ofUser(user.id, now)).toHaveLength(100)
  })

  it('because the database is read-only: reads work, writes and pings fail', async () => {
    const { storage, writer, user } = await given()
    writer.pragma('query_only = on')
    await expect(storage.loginFailures.reserve('account', noWaits, now)).rejects.toBeInstanceOf(Unavailable)
    expect(await storage.users.byId(user.id)).toStrictEqual(user)
    await expect(storage.ping()).rejects.toBeInstanceOf(Unavailable)
    writer.pragma('query_only = off')
    await expect(storage.ping()).resolves.toBeUndefined()
  })

  it('because it was never migrated: pings and probes of writes fail', async () => {
    const storage = await openSqlite({ path: temporaryPath() })
    onTestFinished(() => storage.close())
    const refusal = {
      reason: 'database_not_migrated',
      cause: { forOperator: 'it has no tables of Countersign; `countersign migrate` makes them' },
    }
    await expect(storage.ping()).rejects.toMatchObject(refusal)
    await expect(storage.probeWrites()).rejects.toMatchObject(refusal)
    await storage.migrate()
    await storage.ping()
    await storage.probeWrites()
  })

  it('because the file is locked for too long: the error keeps the cause', async () => {
    const { path, writer } = await given()
    const other = new Sqlite(path)
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    const error = await retryWhileBusy(() => writer.exec('begin immediate'), 0).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toHaveProperty('cause.code', 'SQLITE_BUSY')
  })

  it('because the storage is closed: every request fails', async () => {
    const { storage } = await given()
    const last = storage.loginFailures.reserve('account', noWaits, now)
    await storage.close()
    await expect(last).resolves.toBe(true)
    for (const use of [
      () => storage.users.byId(1),
      () => storage.loginFailures.reserve('account', noWaits, now),
      () => storage.transaction(async () => {}),
      () => storage.sessions.status('id'),
      () => storage.ping(),
      () => storage.sweep(now),
      () => storage.migrate(),
    ]) {
      await expect(use()).rejects.toBeInstanceOf(Unavailable)
    }
    await expect(storage.close()).resolves.toBeUndefined()
  })

  it.each([
    'SQLITE_BUSY',
    'SQLITE_BUSY_SNAPSHOT',
    'SQLITE_LOCKED',
    'SQLITE_FULL',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_IOERR_WRITE',
    'SQLITE_CANTOPEN',
    'SQLITE_CORRUPT_INDEX',
    'SQLITE_NOTADB',
  ])('is recognised by the SQLite error code %s', (code) => {
    const cause = new Sqlite.SqliteError('told by SQLite', code)
    expect(asUnavailable(cause)).toBeInstanceOf(Unavailable)
    expect(asUnavailable(cause)).toHaveProperty('cause', cause)
  })

  it.each(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR', 'SQLITE_MISMATCH', 'SQLITE_FULLY'])(
    'is not concluded from the SQLite error code %s',
    (code) => {
      const error = new Sqlite.SqliteError('told by SQLite', code)
      expect(asUnavailable(error)).toBe(error)
    },
  )
})
