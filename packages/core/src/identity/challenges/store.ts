import type { Instant } from '../../shared/clock.ts'
import type { Challenge, ChallengePurpose } from './challenge.ts'

/** Single-use challenges. The store keeps a challenge of a user until one day after its expiry, used or not. */
export interface ChallengeStore {
  issue(challenge: Challenge): Promise<void>
  /**
   * Consumes the challenge of this id, purpose and user if the challenge has not expired. One atomic statement: exactly one of
   * any number of concurrent callers receives the challenge, and nobody receives the challenge again.
   */
  consume<P extends ChallengePurpose>(
    id: string,
    purpose: P,
    userId: number | null,
    now: Instant,
  ): Promise<Challenge<P> | undefined>
  /**
   * Returns whether a challenge of this id and purpose was issued to this user: pending, used or expired. Returns `false` from
   * one day after its expiry.
   */
  wasIssued(id: string, purpose: ChallengePurpose, userId: number): Promise<boolean>
  /** Deletes every challenge of a user. A challenge without a user stays until its expiry. */
  deleteAllOfUser(userId: number): Promise<void>
}
