/** Stores, and transactions across them. */
export type Transactional<Stores> = Stores & {
  /**
   * Runs `work` in one transaction and resolves once the transaction is durable; if `work` rejects, nothing of it happened.
   * Inside, only `tx` may be used, and nothing but the database awaited. The database may ask for `work` to be run again, so
   * `work` must have no other effect.
   */
  transaction<T>(work: (tx: Stores) => Promise<T>): Promise<T>
}
