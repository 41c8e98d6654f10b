import type { ExpenseCategory } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { ImportCounts } from '../resources/store.ts'
import type { Amount, Expense } from './expense.ts'

/** A project's expenses added up, in its currency, as ten-thousandths (see `formatAmount`). */
export interface ExpenseSums {
  readonly currency: string
  /** 0 where a category has none. Exact, whatever the number of expenses: a sum may be beyond 64 bits. */
  readonly byCategory: Readonly<Record<ExpenseCategory, Amount>>
}

/** The expenses of deleted projects are kept and never seen. */
export interface ExpenseStore {
  /**
   * Lays lines of an import aside, at most 1000 at a time, where nobody sees them; of several of the same external id the
   * last one counts. No two of one call have the same. In a number of statements that does not grow.
   */
  stage(importId: string, expenses: readonly Expense[], now: Instant): Promise<void>
  /**
   * Makes all that was laid aside count, at once: adds what is new and, where an expense of the same external id stands,
   * replaces all of it but the id.
   */
  commitImport(importId: string): Promise<ImportCounts>
  /** Forgets what was laid aside. */
  discardImport(importId: string): Promise<void>
  /** `undefined` where there is no such project. */
  sums(uniqueCode: string): Promise<ExpenseSums | undefined>
}
