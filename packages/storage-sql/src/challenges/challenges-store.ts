import type { Challenge, ChallengePurpose, ChallengeStore } from '@countersign/core'
import type { Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { ChallengesTable } from '../tables.ts'

/** The subject is read back as the purpose wrote it: a challenge is only ever found by id and purpose together. */
const toChallenge = <P extends ChallengePurpose>(row: Selectable<ChallengesTable>, purpose: P): Challenge<P> => ({
  id: row.id,
  purpose,
  userId: row.user_id,
  challenge: row.challenge,
  subject: JSON.parse(row.subject) as Challenge<P>['subject'],
  createdAt: row.created_at,
  expiresAt: row.expires_at,
})

export const challengesStore = (database: Database): ChallengeStore => ({
  issue: async (challenge) => {
    await database.write((db) =>
      db
        .insertInto('challenges')
        .values({
          id: challenge.id,
          purpose: challenge.purpose,
          user_id: challenge.userId,
          challenge: challenge.challenge,
          subject: JSON.stringify(challenge.subject),
          created_at: challenge.createdAt,
          expires_at: challenge.expiresAt,
        })
        .execute(),
    )
  },

  consume: async (id, purpose, userId, now) => {
    const row = await database.write((db) =>
      db
        .deleteFrom('challenges')
        .where('id', '=', id)
        .where('purpose', '=', purpose)
        .where('user_id', userId === null ? 'is' : '=', userId)
        .where('expires_at', '>', now)
        .returning(['id', 'purpose', 'user_id', 'challenge', 'subject', 'created_at', 'expires_at'])
        .executeTakeFirst(),
    )
    return row && toChallenge(row, purpose)
  },
})
