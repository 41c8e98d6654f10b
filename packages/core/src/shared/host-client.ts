/**
 * A client of the host's own database connection, inside a transaction that the host began: a `Client` or a `PoolClient` of the
 * driver `pg`, never its `Pool`, or what `@countersign/storage-postgres/clients` makes from the transaction of a query builder.
 */
export interface HostClient {
  /** Runs one statement with the placeholders `$1`, `$2` and so on. */
  query(text: string, values: (string | number | null)[]): Promise<{ readonly rows: readonly unknown[] }>
  /** The transaction of the host's own library, from which the client was made. A directory of the host gets it back. */
  readonly transaction?: unknown
}

/** A call in a transaction of the host. */
export interface WithinTransaction<Tx> {
  readonly client: HostClient
  /** The object from which the host made the client, such as the `tx` of Drizzle; the client itself for the driver `pg`. */
  readonly transaction: Tx
}

/** Returns a client with the transaction of the host from which it was made. */
export const withinTransaction = (client: HostClient): WithinTransaction<unknown> => ({
  client,
  transaction: client.transaction ?? client,
})
