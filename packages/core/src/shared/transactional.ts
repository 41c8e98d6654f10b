/** Stores, with transactions across them. */
export type Transactional<Stores> = Stores & {
  /**
   * Runs `work` in one transaction, which is durable once this resolves, and rolled back if `work` rejects. `work` may run again
   * after a conflict, so it uses only `tx`, awaits nothing else, and has no other effects.
   */
  transaction<T>(work: (tx: Stores) => Promise<T>): Promise<T>
}

/** Thrown in a transaction to roll it back. Carries the outcome that the caller gets instead of an error. */
export class RolledBack<T> extends Error {
  readonly outcome: T

  constructor(outcome: T) {
    super('the transaction is rolled back')
    this.outcome = outcome
  }
}

/** Resolves with the result of a transaction, or with the outcome of the `RolledBack` that it threw. */
export const outcomeOf = async <T>(transaction: Promise<T>): Promise<T> => {
  try {
    return await transaction
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome as T
    throw error
  }
}
