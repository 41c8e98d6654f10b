import type { Instant } from '../../shared/clock.ts'
import type { IdentityStores } from '../stores.ts'

/**
 * The data of users that other parts of the product keep. Approvals keep confirmations and requests, and projects name the people
 * who take part.
 */
export interface DataElsewhere {
  /** Runs in the transaction that erases a user, after the row of the user is locked. Erases the content of the user's data. */
  erase(tx: IdentityStores, userId: number, now: Instant): Promise<void>
  /** Returns the data of a user, by the name of its kind. */
  export(userId: number): Promise<Readonly<Record<string, unknown>>>
}
