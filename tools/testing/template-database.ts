import pg from 'pg'

/** Runs the work on a connection of its own. */
const connected = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs a statement on a connection of its own. Resolves with the rows. */
export const runStatement = (url: string, statement: string): Promise<readonly unknown[]> =>
  connected(url, async (client) => (await client.query<Record<string, unknown>>(statement)).rows)

/** Returns the URL of another database on the server of this URL. */
export const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Creates a database as a copy of another one. Copying files takes half of the processor time of the default strategy, which logs
 * each page. PostgreSQL 14 always copies files.
 */
export const copyDatabase = (server: string, template: string, name: string): Promise<void> =>
  connected(server, async (client) => {
    const { rows } = await client.query<{ readonly version: number }>(
      "select current_setting('server_version_num')::integer as version",
    )
    const strategy = (rows[0]?.version ?? 0) < 150_000 ? '' : 'strategy file_copy'
    await client.query(`create database ${name} template ${template} ${strategy}`)
  })

/**
 * Makes the database that tests copy, unless another process has made it.
 *
 * @param migrate Migrates the empty database of a URL, and closes its connections.
 */
export const makeTemplate = (server: string, template: string, migrate: (url: string) => Promise<void>): Promise<void> =>
  connected(server, async (client) => {
    // The end of the connection gives the lock back.
    await client.query('select pg_advisory_lock(hashtext($1))', [template])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template])
    if (rowCount === 1) return
    const unfinished = `${template}_unfinished`
    await client.query(`drop database if exists ${unfinished}`)
    await client.query(`create database ${unfinished}`)
    await migrate(databaseUrl(server, unfinished))
    await client.query(`alter database ${unfinished} rename to ${template}`)
  })
