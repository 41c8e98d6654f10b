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
