import type { HostClient } from '@countersign/core'

/** A client that was made from a transaction of the host's own library. */
export interface ClientOf<Tx> extends HostClient {
  readonly transaction?: Tx
}

/** A client that knows whether it is inside a transaction. */
export interface StatedClient<Tx = unknown> extends ClientOf<Tx> {
  /** Returns `I` outside of a transaction. Old versions of the driver `pg` lack the method. */
  getTransactionStatus?(): string | null
}

/**
 * Makes a client of the host from any query function that runs in the transaction of the host. The first statement checks that.
 *
 * @param query Runs one statement with the placeholders `$1`, `$2` and so on, and resolves with its rows. Each answer is one row
 *   with one text.
 * @param transaction What the host's `UserDirectory` gets for its own queries.
 *
 * @example
 * ```ts
 * await sql.begin(async (tx) => {
 *   const client = from((text, values) => tx.unsafe(text, values))
 *   await countersign.confirmations.consume(use, { client })
 * })
 * ```
 */
export const from = <Tx = unknown>(
  query: (text: string, values: (string | number | null)[]) => PromiseLike<readonly unknown[]>,
  transaction?: Tx,
): ClientOf<Tx> => ({
  query: async (text, values) => ({ rows: await query(text, values) }),
  ...(transaction !== undefined && { transaction }),
})
