import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import pg from 'pg'
import { createDataHome, type PostgresServer, startPostgres } from './start-postgres.ts'

/** The name of a standby in the primary's `synchronous_standby_names`. */
export const STANDBY = 'standby'

/**
 * Files that belong to the running primary alone, or that replication sends (PostgreSQL, "Backing Up The Data Directory").
 */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pg_(?:wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.*)$/

/** Copies a running primary as `pg_basebackup` does. The binaries from npm lack that program. */
const backUp = async (primary: PostgresServer, directory: string): Promise<void> => {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    cpSync(primary.directory, directory, {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(relative(primary.directory, source)),
    })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
    writeFileSync(join(directory, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}

/**
 * Starts a standby that receives every change of a primary. A primary with `synchronous_standby_names` set to `STANDBY`
 * acknowledges a change only when the standby has it.
 */
export const startStandby = async (
  primary: PostgresServer,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> => {
  const directory = createDataHome(settings)
  mkdirSync(join(directory, 'pg_wal'))
  await backUp(primary, directory)
  writeFileSync(join(directory, 'standby.signal'), '')
  const { hostname, username } = new URL(primary.url)
  const source = `host=${hostname} port=${primary.port} user=${username} application_name=${STANDBY}`
  return startPostgres({ directory, settings: { ...settings, primary_conninfo: source } })
}

/** Makes a standby the primary. Resolves when it accepts writes. */
export const promote = async (standby: PostgresServer): Promise<void> => {
  const client = new pg.Client({ connectionString: standby.url })
  await client.connect()
  try {
    await client.query('select pg_promote()')
  } finally {
    await client.end()
  }
}
