import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServer } from './start-postgres.ts'

/**
 * Stops every process of a server without ending it, like hanging storage. Connections stay open, the system accepts new
 * connections, and no data arrives. Returns a function that thaws the server; call it before removing the server.
 */
export const freezePostgres = async ({ url, directory }: PostgresServer): Promise<() => void> => {
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  // A stopped postmaster starts no processes, so this list is complete.
  process.kill(postmaster, 'SIGSTOP')
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  const all = [postmaster, ...rows.map(({ pid }) => pid)]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  client.connection.stream.destroy()
  return () => {
    for (const pid of all) process.kill(pid, 'SIGCONT')
  }
}
