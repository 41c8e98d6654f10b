import type { Instant } from '../../shared/clock.ts'
import type { CountersignError } from '../../shared/errors.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { Challenge } from '../records/challenge.ts'
import { refusedRegistration } from '../refusals.ts'

/** The errors of an operation that finds no challenge. */
export interface ChallengeRefusals {
  /** The challenge was never issued to this user for this purpose. */
  readonly NotFound: new () => CountersignError
  /** The challenge was used, or has expired. */
  readonly Gone: new () => CountersignError
}

/**
 * Consumes the challenge of a registration by a signed-in user, in one statement. A challenge of another user or purpose counts
 * as unknown. So does a used or expired challenge, one day after its expiry. A refusal is logged.
 *
 * @throws refusals.NotFound, refusals.Gone
 */
export const takeUsersChallenge = async <Kind extends 'device' | 'passkey'>(
  deps: Pick<BaseDeps, 'storage' | 'logger'>,
  { id, kind, userId, now }: { readonly id: string; readonly kind: Kind; readonly userId: number; readonly now: Instant },
  refusals: ChallengeRefusals,
): Promise<Challenge<`${Kind}_registration`>> => {
  const purpose = `${kind}_registration` as const
  const taken = await deps.storage.challenges.consume(id, purpose, userId, now)
  if (taken !== undefined) return taken
  const wasIssued = await deps.storage.challenges.wasIssued(id, purpose, userId)
  const error = wasIssued ? new refusals.Gone() : new refusals.NotFound()
  throw refusedRegistration(deps, 'challenge', { kind, userId }, error)
}
