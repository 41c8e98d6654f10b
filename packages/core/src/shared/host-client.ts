/**
 * A client of the host's own database connection, inside a transaction that the host began: a `Client` or a `PoolClient` of the
 * driver `pg`, never its `Pool`, or what `@countersign/storage-postgres/clients` makes from the transaction of a query builder.
 */
export interface HostClient {
  /** Runs one statement with the placeholders `$1`, `$2` and so on. */
  query(text: string, values: (string | number | null)[]): Promise<{ readonly rows: readonly unknown[] }>
}
