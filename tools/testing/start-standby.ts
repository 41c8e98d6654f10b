import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './start-postgres.ts'

/** How a standby is named in the primary's `synchronous_standby_names`. */
export const STANDBY = 'standby'

/** What belongs to the running primary alone, or comes to the standby by replication (PostgreSQL, "Backing Up The Data Directory"). */
const LEFT_OUT = /^(?:postmaster\.(?:pid|opts)|pg_(?:wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.*)$/

/** Copies a running primary, as `pg_basebackup` does, which the binaries from the registry come without. */
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
 * Starts a standby of a primary, to which everything is streamed. A primary that was started with
 * `synchronous_standby_names` set to `STANDBY` acknowledges nothing before the standby has it.
 */
export const startStandby = async (
  primary: PostgresServer,
  settings: Readonly<Record<string, string>>,
): Promise<PostgresServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  mkdirSync(join(directory, 'pg_wal'))
  await backUp(primary, directory)
  writeFileSync(join(directory, 'standby.signal'), '')
  const { hostname, username } = new URL(primary.url)
  const source = `host=${hostname} port=${primary.port} user=${username} application_name=${STANDBY}`
  return startPostgres({ directory, settings: { ...settings, primary_conninfo: source } })
}

/** Makes a standby the primary; resolves once it takes writes. */
export const promote = async (standby: PostgresServer): Promise<void> => {
  const client = new pg.Client({ connectionString: standby.url })
  await client.connect()
  try {
    await client.query('select pg_promote()')
  } finally {
    await client.end()
  }
}
