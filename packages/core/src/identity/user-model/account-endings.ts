import type { Instant } from '../../shared/clock.ts'
import type { Bound } from '../records/bound.ts'
import type { RemovedOnProbation } from '../records/trust-store.ts'
import type { IdentityStores } from '../stores.ts'

/** A confirmation that waits no longer. */
export interface SettledConfirmation {
  readonly id: string
  readonly userId: number
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly tenant: string | null
  readonly boundTo: Bound
}

/** The removed signers and the settled confirmations of an account or of sessions that ended. */
export interface Undone extends RemovedOnProbation {
  readonly settled: readonly SettledConfirmation[]
}

/** Changes what approvals keep for a user, in the transaction that ends accounts or sessions. */
export interface AccountEndings {
  /** The account was locked or disabled: requests and approvals that the user made before no longer count. */
  accountClosed(tx: IdentityStores, userId: number, now: Instant): Promise<readonly SettledConfirmation[]>
  /**
   * Somebody else ended sessions (see `endsThatKeepWork`), or a device or passkey was removed: ends what they asked for, and the
   * vouchings for what was removed.
   */
  sessionsEnded(tx: IdentityStores, userId: number, now: Instant): Promise<readonly SettledConfirmation[]>
  /** Replaces the push notifications of settled confirmations. Call this function after the transaction. */
  announce(settled: readonly SettledConfirmation[]): void
}
