import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { PostgresServer } from './start-postgres.ts'

/**
 * Stops every process of a server without ending it, as a storage that hangs does: its connections stay open, the system
 * still takes new ones, and nobody says anything on them. Returns how it goes on; whoever freezes a server thaws it before
 * removing it.
 */
export const freezePostgres = async ({ url, directory }: PostgresServer): Promise<() => void> => {
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  // No process is started by one that is stopped, so these are all.
  process.kill(postmaster, 'SIGSTOP')
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  const all = [postmaster, ...rows.map(({ pid }) => pid)]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  client.connection.stream.destroy()
  return () => {
    for (const pid of all) process.kill(pid, 'SIGCONT')
  }
}
