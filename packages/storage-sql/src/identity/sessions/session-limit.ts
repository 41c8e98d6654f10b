import type { Instant } from '@countersign/core/storage'
import { type Kysely, sql } from 'kysely'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'
import { hasSameBound } from '../bound.ts'

interface OpenedSession {
  readonly id: string
  readonly userId: number
  /** The bound of the session. Only sessions with the same bound count. */
  readonly tenants: string | null
  /** The greatest number of live sessions of the user. */
  readonly limit: number
  readonly now: Instant
}

const liveOf = (db: Kysely<Tables>, { userId, tenants, now }: Pick<OpenedSession, 'userId' | 'tenants' | 'now'>) =>
  db
    .selectFrom('sessions')
    .where('sessions.user_id', '=', userId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.refresh_expires_at', '>', now)
    .where((the) => hasSameBound(the.ref('sessions.tenants'), tenants))

/** The live sessions of the user. `trusted` is 1 for the session of a trusted device or passkey. */
const byTrust = (db: Kysely<Tables>, opened: OpenedSession) =>
  liveOf(db, opened)
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'sessions.device_id').on('devices.removed_at', 'is', null))
    .leftJoin('passkeys', (join) =>
      join.onRef('passkeys.user_id', '=', 'sessions.user_id').onRef('passkeys.id', '=', 'sessions.passkey_id'),
    )
    .select((the) => {
      const trustedAt = the.fn.coalesce('devices.trusted_at', 'passkeys.trusted_at')
      const trusted = the.case().when(trustedAt, '<=', opened.now).then(sql.lit(1)).else(sql.lit(0)).end()
      return ['sessions.id', 'sessions.last_used_at', trusted.as('trusted')]
    })

/**
 * The live sessions with three figures. `needed` counts all, and one place for another kind if all are trusted. `place` numbers
 * those of equal trust, most recently used first. `opener` is the trust of the opened session.
 */
const counted = (db: Kysely<Tables>, opened: OpenedSession) =>
  db
    .selectFrom(byTrust(db, opened).as('live'))
    .selectAll()
    .select([
      sql<number>`count(*) over () + min(trusted) over ()`.as('needed'),
      sql<number>`row_number() over (partition by trusted order by last_used_at desc, id desc)`.as('place'),
      sql<0 | 1>`max(case when id = ${opened.id} then trusted end) over ()`.as('opener'),
    ])

/** The other sessions, in the order in which they end. */
const inOrder = (db: Kysely<Tables>, opened: OpenedSession) =>
  db
    .selectFrom(counted(db, opened).as('counted'))
    .select(['id', 'needed', sql<number>`row_number() over (order by (1 - opener) * trusted, place desc, trusted)`.as('turn')])
    .where('id', '!=', opened.id)

/** Ends the live sessions of a user above the limit; see `SessionStore.open`. The count alone decides for most logins. */
export const endExcessSessions = preparedQuery((db, opened: OpenedSession) =>
  db
    .updateTable('sessions')
    .set({ ended_at: opened.now, end_reason: 'too_many' })
    .where('user_id', '=', opened.userId)
    .where('ended_at', 'is', null)
    .where((the) => the(liveOf(db, opened).select(the.fn.countAll<number>().as('live')), '>=', opened.limit))
    .where('id', 'in', (the) =>
      the.selectFrom(inOrder(db, opened).as('excess')).select('id').where(sql<boolean>`turn <= needed - ${opened.limit}`),
    ),
)

/** Lets one transaction at a time open a session of a user, so that each counts the sessions of the others. */
export const waitToOpenSession = preparedQuery((db, { userId }: { readonly userId: number }, { lockName }) =>
  db.selectNoFrom((lockName?.(sql`'sessions ' || ${userId}::text`) ?? sql.lit(1)).as('turn')),
)
