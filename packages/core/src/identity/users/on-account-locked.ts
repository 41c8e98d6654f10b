import type { Instant } from '../../shared/clock.ts'
import type { IdentityStores } from '../stores.ts'

/**
 * Runs in the transaction that locks an account, and changes what other parts of the product keep for the user. Approvals reject
 * the user's pending confirmations.
 */
export type OnAccountLocked = (tx: IdentityStores, userId: number, now: Instant) => Promise<void>
