import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server for the tests of this run, as its superuser. */
    postgresUrl: string
  }
}

export interface PostgresDatabase {
  readonly url: string
  /** Runs a statement on it, past everything that is tested; resolves with the rows. */
  query(statement: string): Promise<readonly unknown[]>
  /** Ends what is still connected to it, then removes it. */
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

/** A database of its own, empty, on the server of this test run. The test that asks for it drops it. */
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
