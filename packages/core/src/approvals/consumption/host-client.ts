import type { ConfirmationStore } from '../confirmations/store.ts'

/** A statement for a client of the host. `types` reads the values of the answer as this library needs them. */
export interface HostStatement {
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the type of the driver `pg`
  readonly values: any[]
  // biome-ignore lint/suspicious/noExplicitAny: the type of the driver `pg`
  readonly types: { readonly getTypeParser: (oid: number, format?: any) => any }
}

/**
 * A client of the host's own database connection, inside a transaction that the host began: a `Client` or a `PoolClient` of the
 * driver `pg`, never its `Pool`.
 */
export interface HostClient {
  query(statement: HostStatement): Promise<{ readonly rows: readonly unknown[] }>
}

/** The stores that can run in a transaction of the host. */
export interface HostTransactionStores {
  readonly confirmations: Pick<ConfirmationStore, 'ofUser' | 'consume'>
}

/** A storage that can take part in a transaction of the host. */
export interface WithinHostTransactions {
  /**
   * Returns stores whose statements run on a client of the host, inside the transaction that the host began. The host commits or
   * rolls back. The statements leave no state in the session of the client, and the errors of the client pass unchanged.
   *
   * @throws TypeError on a database whose transactions cannot be shared, such as SQLite, and for another thing than a client
   */
  within(client: HostClient): HostTransactionStores
}
