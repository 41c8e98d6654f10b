import type { ExpenseCategory } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/** An exact amount of money as a whole number of ten-thousandths; negative for a credit. */
export type Amount = bigint

/** An expense of a project, as an import brought it. */
export interface Expense {
  /** A UUID; kept where an import updates the expense. */
  readonly id: string
  readonly projectId: string
  /** Its id in the system it comes from; unique. */
  readonly externalId: string
  readonly category: ExpenseCategory
  /** In the project's currency; below 10^18 in either direction. */
  readonly amount: Amount
  readonly incurredAt: Instant
}
