import type { Instant, Milliseconds } from '../../shared/clock.ts'
import type { MailboxMark } from '../records/trust-store.ts'

/**
 * Returns the time at which a mailbox mark ends by itself. The mark of a user who had a trusted device or passkey never does:
 * otherwise, whoever reads the mailbox could wait, log in with the password of the mailbox, and register a trusted phone.
 */
export const endOfMark = (mark: MailboxMark | null, lasts: Milliseconds): Instant => {
  if (mark === null) return Number.NEGATIVE_INFINITY
  return mark.hadSigner ? Number.POSITIVE_INFINITY : mark.since + lasts
}
