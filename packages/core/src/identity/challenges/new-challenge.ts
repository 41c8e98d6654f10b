import type { Instant } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Challenge, ChallengePurpose, ChallengeSubjects } from './challenge.ts'

/** Creates a challenge of 512 random bits that expires after `challengeLifetime`. */
export const newChallenge = <P extends ChallengePurpose>(
  { random, options }: Pick<IdentityDeps, 'random' | 'options'>,
  about: { readonly purpose: P; readonly userId: number | null; readonly subject: ChallengeSubjects[P] },
  now: Instant,
): Challenge<P> => ({
  ...about,
  id: randomUuid(random),
  challenge: toBase64(random.bytes(64)),
  createdAt: now,
  expiresAt: now + options.challengeLifetime,
})
