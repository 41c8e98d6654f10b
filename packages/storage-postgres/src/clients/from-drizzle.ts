import type { HostClient } from '@countersign/core/storage'
import { from } from './from.ts'

/** A transaction of Drizzle, with any of its drivers for PostgreSQL. */
export interface DrizzleTransaction {
  execute(query: never): PromiseLike<unknown>
}

/**
 * Makes a client of the host from a transaction of Drizzle.
 *
 * @example
 * ```ts
 * await db.transaction((tx) => countersign.confirmations.consume(use, { client: fromDrizzle(tx) }))
 * ```
 */
export const fromDrizzle = (tx: DrizzleTransaction): HostClient =>
  from(async (sql, params) => {
    // Drizzle takes anything that has the methods of its own statements. Only its package could make one of those.
    const statement = { getSQL: () => ({ toQuery: () => ({ sql, params }) }) }
    const answer = await tx.execute(statement as never)
    // The answer is that of the driver: an array of rows, or an object that has them.
    return Array.isArray(answer) ? answer : (answer as { rows: readonly unknown[] }).rows
  })
