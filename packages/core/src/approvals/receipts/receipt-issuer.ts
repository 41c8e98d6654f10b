import type { Instant } from '../../shared/clock.ts'
import type { Confirmation } from '../confirmations/confirmation.ts'

/**
 * Makes the receipt of an approved confirmation. The same confirmation, key and `issuedAt` give the same text (with `Ed25519`
 * keys), while the correction of the clock stays the same.
 */
export type ReceiptIssuer = (confirmation: Confirmation, issue: { readonly issuedAt: Instant }) => Promise<string>
