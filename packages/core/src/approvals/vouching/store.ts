import type { Instant } from '../../shared/clock.ts'
import type { Vouching, VouchingSubject } from './vouching.ts'

/**
 * The vouchings, at most one for each device or passkey. The rows of removed devices and passkeys stay until their retention has
 * passed.
 */
export interface VouchingStore {
  /** Adds a vouching. Replaces the vouching of the same subject. */
  put(vouching: Vouching): Promise<void>
  /** Returns the vouching that this confirmation decides; `undefined` for any other confirmation. */
  ofConfirmation(userId: number, confirmationId: string): Promise<Vouching | undefined>
  ofSubject(subject: VouchingSubject): Promise<Vouching | undefined>
  /**
   * Returns the number of vouchings of the user that registrations started at `since` or later. Those of sessions that have ended
   * do not count.
   */
  startedByRegistrations(userId: number, since: Instant): Promise<number>
  /** Deletes every vouching of the user. */
  deleteAllOfUser(userId: number): Promise<void>
}
