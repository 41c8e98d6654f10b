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

/** Runs statements one after another on a connection of their own. Resolves with the rows of the last one. */
export const runStatement = (url: string, ...statements: readonly string[]): Promise<readonly unknown[]> =>
  connected(url, async (client) => {
    let rows: readonly unknown[] = []
    for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows
    return rows
  })

/** Returns the URL of another database on the server of this URL. */
export const databaseUrl = (server: string, name: string): string => {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Creates a database as a copy of another one. Copying files takes less processor time than the default strategy, which logs each
 * page; half of that if PostgreSQL 18 lets the system copy them. PostgreSQL 14 always copies files.
 */
export const copyDatabase = (server: string, template: string, name: string): Promise<void> =>
  connected(server, async (client) => {
    const { rows } = await client.query<{ readonly version: number }>(
      "select current_setting('server_version_num')::integer as version",
    )
    const version = rows[0]?.version ?? 0
    const strategy = version < 150_000 ? '' : 'strategy file_copy'
    const copy = () => client.query(`create database ${name} template ${template} ${strategy}`)
    if (version >= 180_000 && process.platform !== 'win32') await client.query('set file_copy_method = clone')
    await copy().catch(async (error: Error) => {
      // Some file systems copy nothing by themselves.
      if (!/clone/.test(error.message)) throw error
      await client.query('set file_copy_method = copy')
      await copy()
    })
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
