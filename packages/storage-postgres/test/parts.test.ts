import { createCountersign, generateKeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { clockStart as now } from '@countersign/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { migrationNames } from '../../storage-sql/test/migration-names.ts'
import { openPostgres } from '../src/index.ts'
import { connect, newDatabase } from './open-migrated.ts'

const keys = () => ({
  jwtKeys: parseKeyRing(generateKeyRing(systemRandom)),
  encryptionKeys: parseKeyRing(generateKeyRing(systemRandom), { exactly: true }),
})

const given = async () => {
  const url = await newDatabase()
  const host = await connect(url)
  const storage = await openPostgres({ url, parts: ['identity', 'approvals'] })
  onTestFinished(() => storage.close())
  const namesOf = async (query: string) => (await host.query<{ name: string }>(query)).rows.map(({ name }) => name)
  const tables = () => namesOf(`select tablename as name from pg_tables where schemaname = 'countersign'`)
  const extensions = () => namesOf(`select extname as name from pg_extension where extname = 'pg_trgm'`)
  return { url, storage, tables, extensions }
}

it('a database of identity and approvals has no table of projects and no extension', async () => {
  const { storage, tables, extensions } = await given()
  expect(await storage.migrate()).toStrictEqual(['0001-identity', '0001-approvals'])
  const names = await tables()
  expect(names).toEqual(expect.arrayContaining(['users', 'confirmations']))
  expect(names.filter((name) => /project|customer|expense|resource|product/.test(name))).toStrictEqual([])
  expect(await extensions()).toStrictEqual([])

  const countersign = createCountersign({ storage, parts: ['identity', 'approvals'], ...keys() })
  expect((await countersign.check()).filter(({ status }) => status === 'failed')).toStrictEqual([])
  await expect(storage.ping()).resolves.toBeUndefined()
  await expect(storage.probeWrites()).resolves.toBeUndefined()
  expect((await countersign.health()).status).toBe('healthy')
  expect(await storage.sweep(now)).toEqual(await storage.sweepable(now))
  await countersign.users.create({ email: 'ada@example.com', password: 'correct horse battery staple' })
  expect(await countersign.auth.login({ email: 'ada@example.com', password: 'correct horse battery staple' })).toBeDefined()
})

it('the tables of a part can be added later, and the existing rows stay', async () => {
  const { url, storage, extensions } = await given()
  await storage.migrate()
  const user = await createCountersign({ storage, parts: ['identity'], ...keys() }).users.create({ email: 'ada@example.com' })
  const all = await openPostgres({ url })
  onTestFinished(() => all.close())
  expect(await all.migrationStatus()).toMatchObject({ pending: ['0001-projects'], newer: [], foreignTables: [] })
  expect(await all.migrate()).toStrictEqual(['0001-projects'])
  expect(await extensions()).toStrictEqual(['pg_trgm'])
  expect(await all.users.byId(user.id)).toMatchObject({ email: 'ada@example.com' })
  expect(await all.projects.customers.byId('nobody')).toBeUndefined()
  // The host of two parts goes on as before.
  expect(await storage.migrationStatus()).toMatchObject({ applied: migrationNames, pending: [], newer: [], foreignTables: [] })
})

it('a database of two parts is moved into another one', async () => {
  const [{ storage: source }, { storage: target, tables }] = [await given(), await given()]
  await source.migrate()
  const moved = (await target.takeOver(source)).map(({ name }) => name)
  expect(moved).toEqual(expect.arrayContaining(['users', 'confirmations']))
  expect(await tables()).not.toContain('projects')
})

it('a host with projects is refused on a storage without the tables of projects', async () => {
  const { storage } = await given()
  const everything = { storage, ...keys() } as unknown as Parameters<typeof createCountersign>[0]
  expect(() => createCountersign(everything)).toThrow(new TypeError('storage must be a Storage, and lacks projects'))
  await expect(openPostgres({ url: 'postgres://127.0.0.1:9/none', parts: ['orders' as 'projects'] })).rejects.toThrow(
    new TypeError('parts must be a list of identity, approvals, projects'),
  )
})
