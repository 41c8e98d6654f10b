import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server for the tests of this run, as its superuser. */
    postgresUrl: string
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

/** Creates an empty database on the server of this test run. The test that creates it drops it. */
export const createPostgresDatabase = async (): Promise<PostgresDatabase> => {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${name}`)
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
