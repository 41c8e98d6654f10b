import { Unavailable } from '@countersign/core/storage'
import type { Tables } from '@countersign/storage-sql'
import { CompiledQuery, type Kysely } from 'kysely'
import { refuse } from './operator-error.ts'
import { reasonOf } from './reason-of.ts'
import { type CheckedTables, requireTables } from './table-check.ts'
import { withRetries } from './with-retries.ts'

const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' as read_only`
/** Less memory than the numbers of `SPILL` need. */
const LITTLE_MEMORY = `set local work_mem = '64kB'`
/** Writes some hundred kilobytes to a temporary file, which fails on a full disk. */
const SPILL = 'select count(*) from generate_series(1, 10000)'
/** Makes the commit wait for the log on the disk and the synchronous standbys. No row changes, and no table grows. */
const MESSAGE = `select pg_logical_emit_message(true, 'countersign', 'probe')`

/** Commits a transaction that waits for everything that other commits wait for. */
const commitProbe = (db: Kysely<Tables>, checked: CheckedTables): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await tx.executeQuery<{ readonly read_only: boolean }>(CompiledQuery.raw(IS_READ_ONLY))
    if (rows[0]?.read_only !== false) refuse('The database can only be read', 'database_read_only')
    await requireTables(tx, checked)
    for (const text of [LITTLE_MEMORY, SPILL, MESSAGE]) await tx.executeQuery(CompiledQuery.raw(text))
  })

/** Makes the probe of writes, which calls at the same time share. It rejects with `Unavailable` (ADR 0006). */
export const createWriteProbe = (db: Kysely<Tables>, checked: CheckedTables): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  const probe = async (): Promise<void> => {
    try {
      await withRetries(() => commitProbe(db, checked))
    } catch (cause) {
      throw cause instanceof Unavailable ? cause : new Unavailable(undefined, { cause, reason: reasonOf(cause) })
    } finally {
      running = undefined
    }
  }
  return () => {
    running ??= probe()
    return running
  }
}
