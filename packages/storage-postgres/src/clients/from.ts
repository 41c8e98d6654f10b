import type { HostClient } from '@countersign/core/types'

/** A client that knows whether it is inside a transaction. */
export interface StatedClient extends HostClient {
  /** Returns `I` outside of a transaction. Old versions of the driver `pg` lack the method. */
  getTransactionStatus?(): string | null
}

/**
 * Makes a client of the host from any query function that runs in the transaction of the host. The first statement checks that.
 *
 * @param query Runs one statement with the placeholders `$1`, `$2` and so on, and resolves with its rows. Each answer is one row
 *   with one text.
 *
 * @example
 * ```ts
 * await sql.begin(async (tx) => {
 *   const client = from((text, values) => tx.unsafe(text, values))
 *   await countersign.confirmations.consume(use, { client })
 * })
 * ```
 */
export const from = (
  query: (text: string, values: (string | number | null)[]) => PromiseLike<readonly unknown[]>,
): HostClient => ({
  query: async (text, values) => ({ rows: await query(text, values) }),
})
