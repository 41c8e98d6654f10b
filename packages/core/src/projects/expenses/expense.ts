import type { ExpenseCategory } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

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
