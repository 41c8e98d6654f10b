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
 * Makes a client of the host from any query function that runs in the transaction of the host, which the first statement checks.
 * `query` runs one statement with the placeholders `$1`, `$2` and so on, and resolves with its rows: `from((text, values) =>
 * tx.unsafe(text, values))`. The host's `UserDirectory` gets `transaction` for its own queries.
 */
export const from = <Tx = unknown>(
  query: (text: string, values: (string | number | null)[]) => PromiseLike<readonly unknown[]>,
  transaction?: Tx,
): ClientOf<Tx> => ({
  query: async (text, values) => ({ rows: await query(text, values) }),
  ...(transaction !== undefined && { transaction }),
})
