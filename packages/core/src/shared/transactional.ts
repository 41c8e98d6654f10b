/** Stores, with transactions across them. */
export type Transactional<Stores> = Stores & {
  /**
   * Runs `work` in one transaction. Resolves once the transaction is durable. If `work` rejects, the transaction is rolled back.
   * Inside `work`, use only `tx`, and await nothing but `tx`. The storage may run `work` again after a conflict, so `work` must
   * have no other effects.
   */
  transaction<T>(work: (tx: Stores) => Promise<T>): Promise<T>
}
