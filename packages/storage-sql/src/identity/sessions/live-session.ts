import { endsThatKeepWork } from '@countersign/core/storage'
import { type Expression, expressionBuilder, type Kysely } from 'kysely'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'

interface SessionOfUser {
  readonly sessionId: string
  readonly userId: number
}

/** The user's session, if it has not ended and the user is neither disabled nor locked. */
export const liveSession = (db: Kysely<Tables>, { sessionId, userId }: SessionOfUser) =>
  db
    .selectFrom('users')
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select('sessions.id')
    .where('users.id', '=', userId)
    .where('users.disabled_at', 'is', null)
    .where('users.locked_at', 'is', null)
    .where('sessions.id', '=', sessionId)
    .where('sessions.ended_at', 'is', null)

/** Locks a live session until the transaction ends; the user first, like every operation that ends all sessions of a user. */
export const lockLiveSession = preparedQuery((db, session: SessionOfUser, { lockForShare }) =>
  lockForShare(liveSession(db, session)),
)

/** The condition that somebody else ended the session which a column names (see `endsThatKeepWork`). */
export const isEndedByOthers = (db: Kysely<Tables>, column: Expression<string | null>) =>
  expressionBuilder<Tables>().exists(
    db
      .selectFrom('sessions')
      .select('sessions.id')
      .where('sessions.id', '=', column as Expression<string>)
      .where('sessions.ended_at', 'is not', null)
      .where('sessions.end_reason', 'not in', endsThatKeepWork),
  )

export const findLiveSession = preparedQuery((db, session: SessionOfUser) => liveSession(db, session))
