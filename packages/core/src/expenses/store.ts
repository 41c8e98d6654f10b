import type { ExpenseCategory } from '@countersign/contract'
import type { ImportCounts } from '../resources/store.ts'
import type { Amount, Expense } from './expense.ts'

export interface ExpenseSums {
  readonly currency: string
  /** 0 where a category has none. Exact, whatever the number of expenses: a sum may be beyond 64 bits. */
  readonly byCategory: Readonly<Record<ExpenseCategory, Amount>>
}

/** The expenses of deleted projects are kept and never seen. */
export interface ExpenseStore {
  /**
   * Adds the expenses, at most 1000; where one of the same external id stands, replaces all of it but the id. No two of
   * them have the same external id. In a number of statements that does not grow with theirs.
   */
  put(expenses: readonly Expense[]): Promise<ImportCounts>
  /** `undefined` where there is no such project. */
  sums(uniqueCode: string): Promise<ExpenseSums | undefined>
}
