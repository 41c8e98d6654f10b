import type { Instant } from '../../shared/clock.ts'
import type { Challenge, ChallengePurpose } from './challenge.ts'

/** Single-use challenges. The store remembers those of users for a day after they expire, used or not. */
export interface ChallengeStore {
  issue(challenge: Challenge): Promise<void>
  /**
   * Takes the challenge of this id, purpose and user where it has not expired. One atomic statement: nobody can take it
   * again, and of any number of callers at once exactly one receives it.
   */
  consume<P extends ChallengePurpose>(
    id: string,
    purpose: P,
    userId: number | null,
    now: Instant,
  ): Promise<Challenge<P> | undefined>
  /**
   * Whether a challenge of this id and purpose was issued to this user, be it pending, used or expired. `false` once a day
   * has passed since its expiry.
   */
  wasIssued(id: string, purpose: ChallengePurpose, userId: number): Promise<boolean>
}
