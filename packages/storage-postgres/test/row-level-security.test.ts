import { randomUUID } from 'node:crypto'
import { aNewUser, aSession, clockStart as now } from '@countersign/core/testing'
import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../src/index.ts'
import { connect, newDatabase, open, openMigrated } from './open-migrated.ts'

/** Creates a role that may use all tables of a migrated database. Returns a URL for the role, and the connection of the owner. */
const givenRole = async () => {
  const { url, storage } = await openMigrated()
  const owner = await connect(url)
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await owner.query(`create role ${role}; grant usage on schema countersign to ${role};
    grant select, insert, update, delete on all tables in schema countersign to ${role};
    grant usage on all sequences in schema countersign to ${role}`)
  onTestFinished(async () => void (await owner.query(`drop owned by ${role}; drop role ${role}`)))
  const ofRole = new URL(url)
  ofRole.searchParams.set('options', `-c role=${role}`)
  return { url: ofRole.href, owner, storage }
}

const hideRows = (owner: pg.Client, table: string) => owner.query(`alter table ${table} enable row level security`)

it('a row policy makes statements fail, so that it cannot hide that a session has ended', async () => {
  const { url, owner, storage } = await givenRole()
  const server = await open(url)
  const [user] = await storage.users.create([aNewUser()])
  const session = aSession({ userId: user?.id ?? 0 })
  await storage.sessions.open(session)
  expect(await server.users.byId(session.userId)).toMatchObject({ id: session.userId })
  await hideRows(owner, 'users')
  const denied = { name: 'Unavailable', reason: 'database_permission_denied', cause: { code: '42501' } }
  await expect(server.users.byId(session.userId)).rejects.toMatchObject(denied)
  await expect(
    server.sessions.end(session.id, 'logout', now).then(() => server.sessions.status(session.id)),
  ).rejects.toMatchObject(denied)
})

it('the health of the storage names the tables whose rows a policy hides', async () => {
  const { url, owner } = await givenRole()
  const server = await open(url)
  await owner.query('create table countersign.of_the_application (id integer)')
  await hideRows(owner, 'of_the_application')
  await server.ping()
  await hideRows(owner, 'users')
  await hideRows(owner, 'changes')
  await expect(server.ping()).rejects.toMatchObject({
    reason: 'database_permission_denied',
    cause: { forOperator: 'row level security hides rows of these tables from its role: changes, users' },
  })
  await expect(openPostgres({ url })).rejects.toThrow(/cannot be opened: row level security .*: changes, users$/)
})

it('a row policy does not apply to the owner of the tables', async () => {
  const { owner, storage } = await givenRole()
  await hideRows(owner, 'users')
  await storage.ping()
  expect(await storage.users.create([aNewUser()])).toHaveLength(1)
})

it('health and readiness name the tables that the role has no right to write', async () => {
  const { url, owner } = await givenRole()
  const server = await open(url)
  await server.ping()
  await server.probeWrites()
  await owner.query(`revoke insert on users, sessions from ${new URL(url).searchParams.get('options')?.slice('-c role='.length)}`)
  const refusal = {
    reason: 'database_permission_denied',
    cause: { forOperator: 'its role may not write these tables: sessions, users' },
  }
  await expect(server.ping()).rejects.toMatchObject(refusal)
  await expect(server.probeWrites()).rejects.toMatchObject({ reason: 'database_permission_denied' })
})

it('health and readiness see that the database was never migrated', async () => {
  const server = await open(await newDatabase())
  await expect(server.ping()).rejects.toMatchObject({
    reason: 'database_not_migrated',
    cause: { forOperator: 'it has no tables of Countersign; `countersign migrate` makes them' },
  })
  await expect(server.probeWrites()).rejects.toMatchObject({ reason: 'database_not_migrated' })
  await server.migrate()
  await server.ping()
  await server.probeWrites()
})
