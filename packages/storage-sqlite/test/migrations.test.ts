import type { Tables } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { migrations } from '../../storage-sql/src/migrations/index.ts'
import { expectDottedIFolded } from '../../storage-sql/test/dotted-i-of-earlier-rows.ts'
import { expectImportKeysOfProjects } from '../../storage-sql/test/import-keys-of-earlier-rows.ts'
import { migrationNames } from '../../storage-sql/test/migration-names.ts'
import { expectTrustFromCreation } from '../../storage-sql/test/trust-of-earlier-rows.ts'
import { openSqlite } from '../src/index.ts'
import { migrationDialect } from '../src/migrations/dialect.ts'
import { otherProcess } from './other-process.ts'
import { temporaryPath } from './temporary-file.ts'

const open = async (path: string) => {
  const storage = await openSqlite({ path })
  onTestFinished(() => storage.close())
  return storage
}

const connect = (path: string) => {
  const connection = new Sqlite(path)
  onTestFinished(() => void connection.close())
  const tables = () => connection.prepare(`select name from sqlite_schema where type = 'table' order by name`).pluck().all()
  return { connection, tables }
}

describe('migrations', () => {
  it('are applied once, and the applied names are returned', async () => {
    const storage = await open(temporaryPath())
    expect(await storage.migrationStatus()).toStrictEqual({ applied: [], pending: migrationNames, newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual(migrationNames)
    expect(await storage.migrationStatus()).toStrictEqual({ applied: migrationNames, pending: [], newer: [], foreignTables: [] })
    expect(await storage.migrate()).toStrictEqual([])
  })

  it('are rolled back completely when one fails, and succeed after the cause is removed', async () => {
    const path = temporaryPath()
    const storage = await open(path)
    const { connection, tables } = connect(path)
    connection.exec('create table countersign_changes (in_the_way integer)')
    await expect(storage.migrate()).rejects.toThrow('table "countersign_changes" already exists')
    expect(tables()).toStrictEqual(['countersign_changes'])
    expect(await storage.migrationStatus()).toStrictEqual({
      applied: [],
      pending: migrationNames,
      newer: [],
      foreignTables: ['changes'],
    })
    connection.exec('drop table countersign_changes')
    expect(await storage.migrate()).toStrictEqual(migrationNames)
  })

  it('are applied by only one of several processes that start together', async () => {
    const path = temporaryPath()
    const processes = await Promise.all([1, 2, 3].map(() => otherProcess(path)))
    for (const { kill } of processes) onTestFinished(kill)
    const applied = await Promise.all(processes.map((each) => each.call('migrate')))
    expect(applied.toSorted((a, b) => String(a).length - String(b).length)).toStrictEqual([[], [], migrationNames])
  })

  it('are applied by only one of several storages in one process', async () => {
    const path = temporaryPath()
    const storages = [await open(path), await open(path), await open(path)]
    const applied = await Promise.all(storages.map((each) => each.migrate()))
    expect(applied.flat()).toStrictEqual(migrationNames)
  })

  it('trust the devices and passkeys of an earlier version from their creation on', async () => {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
    onTestFinished(() => db.destroy())
    await expectTrustFromCreation(db, migrations(migrationDialect))
  })

  it('keep imported rows, and let each project number its own', async () => {
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
    onTestFinished(() => db.destroy())
    await expectImportKeysOfProjects(db, migrations(migrationDialect))
  })

  it('fold İ in the texts of earlier projects, and in their index', async () => {
    const connection = new Sqlite(':memory:')
    const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection }) })
    onTestFinished(() => db.destroy())
    const indexed = () =>
      ['"ist"', '"izm"', '"ank"'].map((gram) =>
        connection.prepare('select rowid from project_search where project_search match ?').pluck().all(gram),
      )
    await expectDottedIFolded(db, migrations(migrationDialect), (seqs) => {
      const [waiting, ...others] = seqs
      connection.prepare('insert into projects_to_index (seq) values (?)').run(waiting)
      for (const seq of others) {
        const text = connection.prepare('select searched_text from projects where seq = ?').pluck().get(seq)
        connection.prepare('insert into project_search (rowid, searched_text) values (?, ?)').run(seq, text)
      }
      expect(indexed()).toStrictEqual([[], [], [3]])
    })
    expect(indexed()).toStrictEqual([[1], [2], [3]])
    expect(connection.prepare('select count(*) from projects_to_index').pluck().get()).toBe(0)
  })

  it('of a newer version are kept and reported', async () => {
    const path = temporaryPath()
    const storage = await open(path)
    await storage.migrate()
    connect(path).connection.exec(
      `insert into countersign_kysely_migration values ('9999-of-a-newer-program', '2030-01-01T00:00:00.000Z')`,
    )
    expect(await storage.migrate()).toStrictEqual([])
    expect(await storage.migrationStatus()).toStrictEqual({
      applied: migrationNames,
      pending: [],
      newer: ['9999-of-a-newer-program'],
      foreignTables: [],
    })
  })
})
