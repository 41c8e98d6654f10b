import type { Challenge, ChallengePurpose, ChallengeStore, Instant } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'
import { preparedQuery, rowOf } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { Row } from '../tables/index.ts'

const mapping = recordMapping('challenges', 'id purpose userId challenge createdAt expiresAt')
const columns = [...mapping.columns, 'subject'] as const

type IssuedRow = Pick<Row<'challenges'>, (typeof columns)[number]>

/** A challenge is always found by id and purpose together, so the subject has the form of that purpose. */
const toChallenge = <P extends ChallengePurpose>(row: IssuedRow, purpose: P): Challenge<P> => ({
  ...mapping.toRecord(row),
  purpose,
  subject: JSON.parse(row.subject) as Challenge<P>['subject'],
})

const issue = preparedQuery((db, row: IssuedRow) => db.insertInto('challenges').values(rowOf(row, columns)))

type Consumed = Pick<Challenge, 'id' | 'purpose'> & { readonly now: Instant }

const takeOfNobody = preparedQuery((db, { id, purpose, now }: Consumed) =>
  db
    .deleteFrom('challenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('user_id', 'is', null)
    .where('expires_at', '>', now)
    .returning(columns),
)

/** Keeps the row and marks it as used, so that a used challenge can be distinguished from an unknown one. */
const takeOfUser = preparedQuery((db, { id, purpose, userId, now }: Consumed & { readonly userId: number }) =>
  db
    .updateTable('challenges')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(columns),
)

const issuedTo = preparedQuery((db, given: Pick<Challenge, 'id' | 'purpose'> & { readonly userId: number }) =>
  db
    .selectFrom('challenges')
    .select('id')
    .where('id', '=', given.id)
    .where('user_id', '=', given.userId)
    .where('purpose', '=', given.purpose),
)

export const challengesStore = (database: Database): ChallengeStore => ({
  issue: async (challenge) => {
    const row = { ...mapping.toRow(challenge), subject: JSON.stringify(challenge.subject) }
    await issue.affected(database, row)
  },

  consume: async (id, purpose, userId, now) => {
    const row = await (userId === null
      ? takeOfNobody.written(database, { id, purpose, now })
      : takeOfUser.written(database, { id, purpose, userId, now }))
    return row && toChallenge(row, purpose)
  },

  wasIssued: (id, purpose, userId) => issuedTo.finds(database, { id, purpose, userId }),
})
