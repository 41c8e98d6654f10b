import type { Instant } from '../ports/clock.ts'
import type { Challenge, ChallengePurpose } from './challenge.ts'

/** Challenges that wait to be signed, each of them good once. */
export interface ChallengeStore {
  issue(challenge: Challenge): Promise<void>
  /**
   * Takes the challenge of this id, purpose and user where it has not expired. One atomic statement: it is gone
   * afterwards, and of any number of callers at once exactly one receives it.
   */
  consume<P extends ChallengePurpose>(
    id: string,
    purpose: P,
    userId: number | null,
    now: Instant,
  ): Promise<Challenge<P> | undefined>
}
