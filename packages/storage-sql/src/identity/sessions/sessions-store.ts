import {
  boundText,
  endsThatKeepWork,
  type HostSignIn,
  type Rotation,
  type Session,
  type SessionEnd,
  type SessionStore,
} from '@countersign/core/storage'
import { type Database, didWrite, readAll, readFirst } from '../../shared/database.ts'
import { given, onPage } from '../../shared/list-page.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import { recordChanges } from '../../shared/record-changes.ts'
import { recordMapping, toBound } from '../../shared/record-mapping.ts'
import type { Row } from '../../tables/index.ts'
import type { SessionStatusReader } from '../session-status/read-session-status.ts'
import { lockLiveSession } from './live-session.ts'
import { endExcessSessions, waitToOpenSession } from './session-limit.ts'
import { sweepDayOf } from './sweep-expired-sessions.ts'

const mapping = recordMapping(
  'sessions',
  'id userId kind authMethod deviceId passkeyId userVerified:flag rememberMe:flag openedFrom createdAt lastUsedAt',
  'refreshTokenId previousRefreshTokenId renewalKeyHash rotatedAt refreshExpiresAt endedAt endReason tenants:bound',
)
const columns = [...mapping.columns, 'host_method', 'signed_in_at', 'opened_by'] as const

/** A new session has all columns. `sweep_day` is only written. */
const insertedColumns = [...columns, 'sweep_day'] as const

/** Returns how the host has signed in the user of a session; `null` unless the host opened the session. */
export const toHostSignIn = (row: Pick<Row<'sessions'>, 'host_method' | 'signed_in_at' | 'opened_by'>): HostSignIn | null =>
  row.host_method === null || row.signed_in_at === null
    ? null
    : { method: row.host_method, signedInAt: row.signed_in_at, openedBy: row.opened_by }

const toSession = (row: Omit<Row<'sessions'>, 'sweep_day'>): Session => ({
  ...mapping.toRecord(row),
  host: toHostSignIn(row),
})

const fromSession = (session: Session): Row<'sessions'> => ({
  ...mapping.toRow(session),
  host_method: session.host?.method ?? null,
  signed_in_at: session.host?.signedInAt ?? null,
  opened_by: session.host?.openedBy ?? null,
  sweep_day: sweepDayOf(session.refreshExpiresAt),
})

const insert = preparedQuery((db, row: Row<'sessions'>) => db.insertInto('sessions').values(rowOf(row, insertedColumns)))

const byId = preparedQuery(
  (db, { id }: { readonly id: string }) => db.selectFrom('sessions').select(columns).where('id', '=', id),
  toSession,
)

const rotate = preparedQuery(
  (db, { sessionId, fromTokenId, toTokenId, keyHash, expiresAt, sweepDay, now }: Rotation & { readonly sweepDay: number }) =>
    db
      .updateTable('sessions')
      .set({
        refresh_token_id: toTokenId,
        previous_refresh_token_id: fromTokenId,
        renewal_key_hash: keyHash,
        rotated_at: now,
        last_used_at: now,
        refresh_expires_at: expiresAt,
        sweep_day: sweepDay,
      })
      .where('id', '=', sessionId)
      .where('refresh_token_id', '=', fromTokenId)
      .where('ended_at', 'is', null)
      .where('refresh_expires_at', '>', now),
)

/** The column values of the sessions to end, and the id of a session to keep. */
interface Ended extends Partial<Row<'sessions'>> {
  readonly except?: string
}

/** Ends the live sessions whose columns have the given values, but not `except`. Returns the ids of their users. */
export const endWhere = (tx: Database, { except, ...values }: Ended, reason: SessionEnd, now: number) =>
  tx.write((db) =>
    db
      .updateTable('sessions')
      .set({ ended_at: now, end_reason: reason })
      .where((the) => the.and(values))
      .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
      .where('ended_at', 'is', null)
      .returning('user_id'),
  )

export const sessionsStore = (database: Database, status: SessionStatusReader): SessionStore => {
  return {
    open: async (session, limit) => {
      if (limit === undefined) return void (await insert.affected(database, fromSession(session)))
      const { id, userId, createdAt: now } = session
      const tenants = boundText(session.tenants)
      await database.transaction(async (tx) => {
        const counts = await tx.batch([
          ...(tx.locks.lockName === undefined ? [] : [waitToOpenSession.statement({ userId })]),
          insert.statement(fromSession(session)),
          endExcessSessions.statement({ id, userId, tenants, limit, now }),
        ])
        if (counts.at(-1) !== 0) await recordChanges(tx, [{ kind: 'user', subject: String(userId) }], now)
      })
    },

    byId: (id) => byId.first(database, { id }),

    status: status.session,

    rotate: async (rotation) => {
      const values = { ...rotation, sweepDay: sweepDayOf(rotation.expiresAt) }
      return (await database.writeBatched({ key: rotation.sessionId, statement: rotate.statement(values) })) > 0
    },

    rotatedBefore: ({ sessionId, fromTokenId, admitted, now }) =>
      readFirst(database, toSession, (db) =>
        db
          .selectFrom('sessions')
          .select(columns)
          .where('id', '=', sessionId)
          .where('previous_refresh_token_id', '=', fromTokenId)
          .where('ended_at', 'is', null)
          .where((the) =>
            the.or(
              admitted.map(({ keyHash, within }) =>
                the.and([
                  the('renewal_key_hash', keyHash === null ? 'is' : '=', keyHash),
                  the('rotated_at', '>=', now - within),
                  the('rotated_at', '<=', now + within),
                ]),
              ),
            ),
          ),
      ),

    hold: (sessionId, userId) => lockLiveSession.finds(database, { sessionId, userId }),

    end: (id, reason, now) =>
      database.transaction(async (tx) => {
        const ended = await endWhere(tx, { id }, reason, now)
        if (ended.length > 0) await recordChanges(tx, [{ kind: 'session', subject: id }], now)
        return ended.length > 0
      }),

    disown: (id, now) =>
      database.transaction(async (tx) => {
        const disowned = await didWrite(tx, (db) =>
          db
            .updateTable('sessions')
            .set((the) => ({ ended_at: the.fn.coalesce('ended_at', the.val(now)), end_reason: 'not_me' }))
            .where('id', '=', id)
            .where((the) => the.or([the('ended_at', 'is', null), the('end_reason', 'in', endsThatKeepWork)])),
        )
        if (disowned) await recordChanges(tx, [{ kind: 'session', subject: id }], now)
        return disowned
      }),

    endAll: ({ userId, deviceId, passkeyId, openedBy, tenants = null, except }, reason, now) =>
      database.transaction(async (tx) => {
        const values = {
          ...given({ device_id: deviceId, passkey_id: passkeyId, opened_by: openedBy, except }),
          ...(tenants !== null && { tenants: boundText(tenants) }),
          user_id: userId,
        }
        const ended = await endWhere(tx, values, reason, now)
        // One change of the user is recorded for all ended sessions.
        if (ended.length > 0) await recordChanges(tx, [{ kind: 'user', subject: String(userId) }], now)
        return ended.length
      }),

    boundOpenedBy: async (service) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('sessions')
          .select(['user_id as userId', 'tenants'])
          .distinct()
          .where('opened_by', '=', service)
          .where('ended_at', 'is', null)
          .where('tenants', 'is not', null)
          .orderBy('user_id'),
      )
      return rows.map(({ userId, tenants }) => ({ userId, tenants: toBound(tenants) }))
    },

    ofUser: (userId, liveAt) =>
      readAll(database, toSession, (db) => {
        const ofUser = db.selectFrom('sessions').select(columns).where('user_id', '=', userId)
        const live = ofUser.where('ended_at', 'is', null)
        const found =
          liveAt === undefined
            ? // Live and ended sessions have separate indexes.
              live.unionAll(ofUser.where('ended_at', 'is not', null))
            : live.where('refresh_expires_at', '>', liveAt)
        return found.orderBy('created_at', 'desc').orderBy('id', 'desc')
      }),

    page: ({ ended, openedBy, tenants = null, now, ...page }) =>
      readAll(database, toSession, (db) => {
        const sessions = db
          .selectFrom('sessions')
          .select(columns)
          .$if(openedBy !== undefined, (query) => query.where('opened_by', '=', openedBy ?? ''))
          .$if(tenants !== null, (query) => query.where('tenants', '=', boundText(tenants)))
        const listed = ended
          ? sessions.where('ended_at', 'is not', null)
          : sessions.where('ended_at', 'is', null).where('refresh_expires_at', '>', now)
        return onPage(listed, page)
      }),
  }
}
