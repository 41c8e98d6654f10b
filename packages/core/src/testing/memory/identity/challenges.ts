import type { Challenge, ChallengePurpose } from '../../../identity/challenges/challenge.ts'
import type { ChallengeStore } from '../../../identity/challenges/store.ts'
import { deleteWhere, insert, type Run } from '../tables.ts'

const isOfPurpose = <P extends ChallengePurpose>(challenge: Challenge, purpose: P): challenge is Challenge<P> =>
  challenge.purpose === purpose

export const memoryChallenges = (run: Run): ChallengeStore => ({
  issue: (challenge) => run(({ challenges }) => insert(challenges, challenge.id, { challenge, usedAt: null })),
  consume: (id, purpose, userId, now) =>
    run(({ challenges }) => {
      const { challenge, usedAt = null } = challenges.get(id) ?? {}
      if (challenge === undefined || usedAt !== null || !isOfPurpose(challenge, purpose)) return undefined
      if (challenge.userId !== userId || now >= challenge.expiresAt) return undefined
      if (userId === null) challenges.delete(id)
      else challenges.set(id, { challenge, usedAt: now })
      return challenge
    }),
  wasIssued: (id, purpose, userId) =>
    run(({ challenges }) => {
      const challenge = challenges.get(id)?.challenge
      return challenge?.purpose === purpose && challenge.userId === userId
    }),
  deleteAllOfUser: (userId) =>
    run(({ challenges }) => void deleteWhere(challenges, ({ challenge }) => challenge.userId === userId)),
})
