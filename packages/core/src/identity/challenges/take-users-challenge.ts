import type { Instant } from '../../shared/clock.ts'
import type { CountersignError } from '../../shared/errors.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { Challenge, ChallengePurpose } from '../records/challenge.ts'

/** The errors of an operation that finds no challenge. */
export interface ChallengeRefusals {
  /** The challenge was never issued to this user for this purpose. */
  readonly NotFound: new () => CountersignError
  /** The challenge was used, or has expired. */
  readonly Gone: new () => CountersignError
}

/**
 * Consumes a challenge of a signed-in user, in one statement. A challenge of another user or purpose counts as unknown. So does
 * a used or expired challenge, one day after its expiry.
 *
 * @throws refusals.NotFound, refusals.Gone
 */
export const takeUsersChallenge = async <P extends ChallengePurpose>(
  { storage }: Pick<BaseDeps, 'storage'>,
  { id, purpose, userId, now }: { readonly id: string; readonly purpose: P; readonly userId: number; readonly now: Instant },
  refusals: ChallengeRefusals,
): Promise<Challenge<P>> => {
  const taken = await storage.challenges.consume(id, purpose, userId, now)
  if (taken !== undefined) return taken
  const wasIssued = await storage.challenges.wasIssued(id, purpose, userId)
  throw wasIssued ? new refusals.Gone() : new refusals.NotFound()
}
