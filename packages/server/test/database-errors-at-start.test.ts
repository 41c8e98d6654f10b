import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openStorage } from '../src/open-storage.ts'

let database: PostgresDatabase
beforeAll(async () => {
  database = await createPostgresDatabase()
  const name = new URL(database.url).pathname.slice(1)
  await database.query(`alter database ${name} set default_transaction_read_only = on`)
})
afterAll(() => database.drop())

const linesOf = async (url: string): Promise<unknown> => {
  const error = await openStorage(url).catch((reason: unknown) => reason)
  return error instanceof Error && 'lines' in error ? error.lines : error
}

it.each([
  ['', 'The database can only be read'],
  ['?target_session_attrs=read-write', 'the server is not read-write, which target_session_attrs asks for'],
  ['?target_session_attrs=standby', 'target_session_attrs must be one of any, read-write, primary'],
  ['?sslmode=require', 'The server does not support SSL connections'],
  ['?sslmode=bogus', 'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full, no-verify'],
])('a database that cannot be opened is reported without secrets: %s', async (parameters, reason) => {
  const url = new URL(database.url)
  const shown = `postgres://${url.host}${url.pathname}`
  url.password = 'hunter2'
  expect(await linesOf(`${url.href}${parameters}`)).toEqual([`the database ${shown} cannot be opened: ${reason}`])
})

it('a mismatch of hosts and ports is reported without secrets', async () => {
  expect(await linesOf('postgres://ada:hunter2@/countersign?host=a,b&port=1,2,3')).toEqual([
    'the database postgres:///countersign cannot be opened: its URL must have one port for all hosts, or one for each',
  ])
})
