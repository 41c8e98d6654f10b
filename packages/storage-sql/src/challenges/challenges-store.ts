import type { Challenge, ChallengePurpose, ChallengeStore, Instant } from '@countersign/core'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database.ts'
import { keptQuery, rowOf } from '../kept-query.ts'
import type { ChallengesTable, Tables } from '../tables.ts'

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

const columns = [
  'id',
  'purpose',
  'user_id',
  'challenge',
  'subject',
  'created_at',
  'expires_at',
] as const satisfies readonly (keyof ChallengesTable)[]

const issue = keptQuery((db, row: Selectable<ChallengesTable>) => db.insertInto('challenges').values(rowOf(row, columns)))

interface Consumed {
  readonly id: string
  readonly purpose: ChallengePurpose
  readonly now: Instant
}

const take = (db: Kysely<Tables>, { id, purpose, now }: Consumed) =>
  db.deleteFrom('challenges').where('id', '=', id).where('purpose', '=', purpose).where('expires_at', '>', now).returning(columns)

const consumeOfNobody = keptQuery((db, consumed: Consumed) => take(db, consumed).where('user_id', 'is', null))

const consumeOfUser = keptQuery((db, consumed: Consumed & { readonly userId: number }) =>
  take(db, consumed).where('user_id', '=', consumed.userId),
)

export const challengesStore = (database: Database): ChallengeStore => ({
  issue: async (challenge) => {
    await database.write((db) =>
      issue.affected(db, {
        id: challenge.id,
        purpose: challenge.purpose,
        user_id: challenge.userId,
        challenge: challenge.challenge,
        subject: JSON.stringify(challenge.subject),
        created_at: challenge.createdAt,
        expires_at: challenge.expiresAt,
      }),
    )
  },

  consume: async (id, purpose, userId, now) => {
    const row = await database.write((db) =>
      userId === null ? consumeOfNobody.first(db, { id, purpose, now }) : consumeOfUser.first(db, { id, purpose, userId, now }),
    )
    return row && toChallenge(row, purpose)
  },
})
