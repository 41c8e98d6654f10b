import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { copyDatabase, databaseUrl, makeTemplate, runStatement } from './template-database.ts'

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
  /** Runs a statement on the database, independently of the tested code. Resolves with the rows. */
  query(statement: string): Promise<readonly unknown[]>
  /** Removes the database. Waits until the test's connections are closed, and ends those still open after 20 seconds. */
  drop(): Promise<void>
}

/**
 * Waits until nobody is connected to the database, for 20 seconds at most. `pg.Pool.end` resolves before its connections are
 * closed. Dropping the database then ends these connections, and each throws an error that no test catches.
 */
const closed = (name: string) => `do $$ begin
  for attempt in 1..4000 loop
    exit when not exists (select from pg_stat_activity where datname = '${name}' and backend_type = 'client backend');
    perform pg_sleep(0.005), pg_stat_clear_snapshot();
  end loop;
end $$`

const create = async (template: string): Promise<PostgresDatabase> => {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await copyDatabase(server, template, name)
  const url = databaseUrl(server, name)
  return {
    url,
    query: (statement) => runStatement(url, statement),
    drop: async () => void (await runStatement(server, closed(name), `drop database ${name} with (force)`)),
  }
}

/** Creates an empty database on the server of this test run. The test that creates it drops it. */
export const createPostgresDatabase = (): Promise<PostgresDatabase> => create('template1')

let isMade: Promise<void> | undefined

/**
 * Creates a database that has all tables on the server of this test run. The first call of a run makes a database by `migrate`,
 * and each database is a copy of it: running the migrations takes five times as long. The test that creates it drops it.
 *
 * @param migrate Migrates the empty database of a URL, and closes its connections.
 */
export const createMigratedPostgresDatabase = async (migrate: (url: string) => Promise<void>): Promise<PostgresDatabase> => {
  const template = inject('postgresTemplate')
  isMade ??= makeTemplate(inject('postgresUrl'), template, migrate)
  await isMade
  return create(template)
}
