import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server for the tests of this run, as its superuser. */
    postgresUrl: string
    /** The name of the migrated database of this run, which `createMigratedPostgresDatabase` copies. */
    postgresTemplate: string
  }
}

export interface PostgresDatabase {
  readonly url: string
  /** Runs a statement on the database, beside the tested code. Resolves with the rows. */
  query(statement: string): Promise<readonly unknown[]>
  /** Ends all connections to the database, then removes it. */
  drop(): Promise<void>
}

const run = async (url: string, statement: string): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

let fileCopy: Promise<string> | undefined

/** Copying files takes half of the processor time of the default strategy, which logs each page. PostgreSQL 14 always copies. */
const fileCopyOf = async (server: string): Promise<string> => {
  const version = await run(server, "select from pg_settings where name = 'server_version_num' and setting::integer >= 150000")
  return version.length === 1 ? 'strategy file_copy' : ''
}

const create = async (template: string): Promise<PostgresDatabase> => {
  const server = inject('postgresUrl')
  fileCopy ??= fileCopyOf(server)
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name} template ${template} ${await fileCopy}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (statement) => run(url.href, statement),
    drop: async () => {
      await run(server, `drop database ${name} with (force)`)
    },
  }
}

/** Creates an empty database on the server of this test run. The test that creates it drops it. */
export const createPostgresDatabase = (): Promise<PostgresDatabase> => create('template1')

/** Makes the migrated database of this run, if no other process has made it. */
const makeTemplate = async (migrate: (url: string) => Promise<void>): Promise<string> => {
  const server = inject('postgresUrl')
  const template = inject('postgresTemplate')
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 1) return template
    const url = new URL(server)
    url.pathname = `/${template}_unfinished`
    await client.query(`drop database if exists ${template}_unfinished`)
    await client.query(`create database ${template}_unfinished`)
    await migrate(url.href)
    await client.query(`alter database ${template}_unfinished rename to ${template}`)
    return template
  } finally {
    await client.end()
  }
}

let template: Promise<string> | undefined

/**
 * Creates a database that has all tables on the server of this test run. The first call of a run makes a database by `migrate`,
 * and each database is a copy of it: running the migrations takes five times as long. The test that creates it drops it.
 *
 * @param migrate Migrates the empty database of a URL, and closes its connections.
 */
export const createMigratedPostgresDatabase = async (migrate: (url: string) => Promise<void>): Promise<PostgresDatabase> => {
  template ??= makeTemplate(migrate)
  return create(await template)
}
