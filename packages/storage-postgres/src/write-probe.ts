import { Unavailable } from '@countersign/core/storage'
import type { Tables } from '@countersign/storage-sql'
import { CompiledQuery, type Kysely } from 'kysely'
import { OperatorError } from './operator-error.ts'
import { reasonOf } from './reason-of.ts'
import { type CheckedTables, requireUsable, TABLE_CHECK, tableCheckValues } from './table-check.ts'
import { withRetries } from './with-retries.ts'

const IS_READ_ONLY = `select current_setting('transaction_read_only') = 'on' as read_only`
/** Less memory than the numbers of `SPILL` need. */
const LITTLE_MEMORY = `set local work_mem = '64kB'`
/** Writes some hundred kilobytes to a temporary file, which fails on a full disk. */
const SPILL = 'select count(*) from generate_series(1, 10000)'
/** Makes the commit wait for the log on the disk and the synchronous standbys. No row changes, and no table grows. */
const MESSAGE = `select pg_logical_emit_message(true, 'countersign', 'probe')`

interface ProbedTables {
  readonly schema: string
  readonly tables: readonly string[]
}

/** Commits a transaction that waits for everything that other commits wait for. */
const commitProbe = (db: Kysely<Tables>, { schema, tables }: ProbedTables): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const ask = async <R>(text: string, values: readonly unknown[] = []): Promise<R | undefined> =>
      (await tx.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows[0]
    if ((await ask<{ readonly read_only: boolean }>(IS_READ_ONLY))?.read_only !== false)
      throw new OperatorError('The database can only be read', { reason: 'database_read_only' })
    requireUsable(await ask<CheckedTables>(TABLE_CHECK, tableCheckValues(tables, schema)), tables)
    for (const text of [LITTLE_MEMORY, SPILL, MESSAGE]) await ask(text)
  })

/**
 * Makes the probe of writes. It rejects with `Unavailable` if the database accepts no writes. Calls at the same time share one
 * probe. See ADR 0006.
 */
export const createWriteProbe = (db: Kysely<Tables>, { schema, tables }: ProbedTables): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  const probe = async (): Promise<void> => {
    try {
      await withRetries(() => commitProbe(db, { schema, tables }))
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
