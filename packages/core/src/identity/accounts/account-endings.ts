import type { Instant } from '../../shared/clock.ts'
import type { IdentityStores } from '../stores.ts'

/**
 * Changes what other parts of the product keep for a user, in the transaction that ends accounts or sessions. Approvals implement
 * this port.
 */
export interface AccountEndings {
  /** The account was locked or disabled: nothing that the user asked for or approved before counts any more. */
  accountClosed(tx: IdentityStores, userId: number, now: Instant): Promise<void>
  /**
   * Somebody else ended sessions of the user (see `endsThatKeepWork`), or a device or passkey was removed: nothing that these
   * sessions asked for goes on, and no vouching for what was removed.
   */
  sessionsEnded(tx: IdentityStores, userId: number, now: Instant): Promise<void>
}
