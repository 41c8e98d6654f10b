import type { ExpenseCategory } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { ImportStore } from './resource.ts'

/** An amount of money in ten-thousandths of the currency. Negative for a credit. */
export type Amount = bigint

/** An expense of a project, from an import. */
export interface Expense {
  /** A UUID, which stays the same when an import updates the expense. */
  readonly id: string
  readonly projectId: string
  /** The id in the system that the expense comes from. Unique among the expenses of its project. */
  readonly externalId: string
  readonly category: ExpenseCategory
  /** The amount in the currency of the project, between -10^18 and 10^18. */
  readonly amount: Amount
  readonly incurredAt: Instant
}

/** The sums of a project's expenses, in ten-thousandths of the project's currency (see `formatAmount`). */
export interface ExpenseSums {
  readonly currency: string
  /** The exact sum of each category, which may exceed 64 bits. 0 for a category without expenses. */
  readonly byCategory: Readonly<Record<ExpenseCategory, Amount>>
}

/** The store of expenses. Expenses of deleted projects stay in the database, but no method returns them. */
export interface ExpenseStore extends ImportStore<Expense> {
  /** Returns the sums of a project's expenses; `undefined` if no project has the code. */
  sums(uniqueCode: string): Promise<ExpenseSums | undefined>
}
