import type { Challenge, ChallengePurpose } from '../../challenges/challenge.ts'
import type { ChallengeStore } from '../../challenges/store.ts'
import { insert, type Run } from './tables.ts'

const isOfPurpose = <P extends ChallengePurpose>(challenge: Challenge, purpose: P): challenge is Challenge<P> =>
  challenge.purpose === purpose

export const memoryChallenges = (run: Run): ChallengeStore => ({
  issue: (challenge) => run(({ challenges }) => insert(challenges, challenge.id, challenge)),
  consume: (id, purpose, userId, now) =>
    run(({ challenges }) => {
      const challenge = challenges.get(id)
      if (challenge === undefined || !isOfPurpose(challenge, purpose)) return undefined
      if (challenge.userId !== userId || now >= challenge.expiresAt) return undefined
      challenges.delete(id)
      return challenge
    }),
})
