import type { Instant } from '../../shared/clock.ts'
import type { CountersignError } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Challenge, ChallengePurpose } from './challenge.ts'

/** The refusals of one operation where it has no challenge to take. */
export interface ChallengeRefusals {
  /** The challenge was never issued to this user for this purpose. */
  readonly NotFound: new () => CountersignError
  /** The challenge was used, or has expired. */
  readonly Gone: new () => CountersignError
}

/**
 * Takes a challenge of a signed-in user, in one statement. One of another user or purpose is refused like an unknown one.
 * A used or expired challenge counts as unknown a day after its expiry.
 *
 * @throws refusals.NotFound, refusals.Gone
 */
export const takeUsersChallenge = async <P extends ChallengePurpose>(
  { storage }: Pick<IdentityDeps, 'storage'>,
  { id, purpose, userId, now }: { readonly id: string; readonly purpose: P; readonly userId: number; readonly now: Instant },
  refusals: ChallengeRefusals,
): Promise<Challenge<P>> => {
  const taken = await storage.challenges.consume(id, purpose, userId, now)
  if (taken !== undefined) return taken
  const wasIssued = await storage.challenges.wasIssued(id, purpose, userId)
  throw wasIssued ? new refusals.Gone() : new refusals.NotFound()
}
