import type { Instant } from '../../shared/clock.ts'
import type { Confirmation } from '../confirmations/confirmation.ts'

/**
 * Makes the receipt of an approved confirmation. The same confirmation, key and `issuedAt` give the same text, with `Ed25519` keys.
 * A receipt has real time, without the correction by which a server follows the clock of the database, so another correction gives
 * another text.
 */
export type ReceiptIssuer = (confirmation: Confirmation, issue: { readonly issuedAt: Instant }) => Promise<string>
