import type { Instant } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { randomUuid } from '../../shared/random.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { Challenge, ChallengePurpose } from '../records/challenge.ts'

/** The id and the times of a new challenge. It expires after `challengeLifetime`. */
export const newChallengeRow = ({ random, options }: Pick<BaseDeps, 'random' | 'options'>, now: Instant) => ({
  id: randomUuid(random),
  createdAt: now,
  expiresAt: now + options.challengeLifetime,
})

/** Creates a challenge of 512 random bits. Passkeys bind the purpose of a challenge themselves. */
export const newChallenge = <P extends ChallengePurpose>(
  deps: Pick<BaseDeps, 'random' | 'options'>,
  about: Pick<Challenge<P>, 'purpose' | 'userId' | 'subject'>,
  now: Instant,
): Challenge<P> => ({
  ...about,
  ...newChallengeRow(deps, now),
  challenge: toBase64(deps.random.bytes(64)),
})
