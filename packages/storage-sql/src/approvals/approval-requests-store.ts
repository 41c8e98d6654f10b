import { type ApprovalRequestStore, type Bound, boundText, type Instant } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { coversTenant } from '../identity/bound.ts'
import { lockLiveSession } from '../identity/sessions/live-session.ts'
import { noteAsked } from '../identity/users/permission-holders.ts'
import { countOf, type Database, none, readAll, readFirst } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { Tables } from '../tables/index.ts'
import { confirmationColumns, fromConfirmation, toConfirmation } from './confirmations/confirmation-row.ts'
import { openRequests } from './confirmations/pending-confirmations.ts'
import { lockOpen, wantNobody } from './open-requests.ts'
import { requestsOnPage } from './request-page.ts'

const {
  columns,
  toRecord: toRequest,
  toRow: fromRequest,
} = recordMapping(
  'approval_requests',
  'id requestedBy requestedIn tenant boundTo:bound actionType payload display terms count status createdAt expiresAt redeemedAt',
  'redeemedBy redeemedKey withdrawnAt stoppedBy stoppedAt',
)

const openOf = (database: Database, requestedBy: number, now: Instant, boundTo: Bound = null): Promise<number> =>
  countOf(database, (db) =>
    openRequests(db, now)
      .where('requested_by', '=', requestedBy)
      .where('bound_to', boundTo === null ? 'is' : '=', boundText(boundTo)),
  )

/** Locks the open accounts among these users, in the order of their ids, so that two requests cannot deadlock. */
const lockOpenAccounts = async (tx: Database, ids: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await tx.read((db) =>
    tx.locks.lockForUpdate(
      db.selectFrom('users').select(['id', 'disabled_at', 'locked_at']).where('id', 'in', ids).orderBy('id'),
    ),
  )
  return new Set(rows.filter((row) => row.disabled_at === null && row.locked_at === null).map(({ id }) => id))
}

/** A query for the requests that could still ask a user, in one of these tenants. */
interface Wanting {
  readonly userId: number
  readonly now: Instant
  readonly limit: number
  readonly tenants: string | null
}

/**
 * The newest open requests that need a permission which a user has, also by a delegation. The index has the expiry, so the query
 * skips expired requests.
 */
const wantedFrom = (db: Kysely<Tables>, { userId, now, limit, tenants }: Wanting) =>
  openRequests(db, now)
    .select(columns)
    .where('requested_by', '!=', userId)
    .where((the) => coversTenant(tenants, the.ref('approval_requests.tenant')))
    .where('id', 'in', (the) =>
      the
        .selectFrom('permission_holders')
        .innerJoin('wanted_permissions', 'wanted_permissions.permission', 'permission_holders.permission')
        .select('wanted_permissions.approval_id')
        .where('permission_holders.user_id', '=', userId)
        .where('wanted_permissions.expires_at', '>', now)
        .unionAll(
          the
            .selectFrom('delegations')
            .innerJoin('wanted_permissions', 'wanted_permissions.permission', 'delegations.permission')
            .select('wanted_permissions.approval_id')
            .where('delegations.to_user', '=', userId)
            .where('delegations.until_at', '>', now)
            .where('wanted_permissions.expires_at', '>', now),
        ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

const waitingFor = preparedQuery(
  (db, given: Wanting) =>
    db
      .selectFrom(wantedFrom(db, given).as('wanted'))
      .selectAll('wanted')
      .where((the) =>
        none(
          the
            .selectFrom('confirmations')
            .select('confirmations.id')
            .whereRef('confirmations.approval_id', '=', 'wanted.id')
            .where('confirmations.user_id', '=', given.userId),
        ),
      )
      .orderBy('wanted.created_at', 'desc')
      .orderBy('wanted.id', 'desc'),
  toRequest,
)

export const approvalRequestsStore = (database: Database): ApprovalRequestStore => ({
  open: (request, confirmations, openLimit, wanted = []) =>
    database.transaction(async (tx) => {
      const parties = [request.requestedBy, ...confirmations.map(({ userId }) => userId)]
      const accounts = await lockOpenAccounts(tx, parties)
      const { requestedBy: userId, requestedIn: sessionId } = request
      if (!accounts.has(userId)) return false
      if (sessionId !== null && !(await lockLiveSession.finds(tx, { sessionId, userId }))) return false
      if ((await openOf(tx, userId, request.createdAt, request.boundTo)) >= openLimit) return false
      const rows = confirmations.filter(({ userId }) => accounts.has(userId)).map(fromConfirmation)
      await tx.write((db) => db.insertInto('approval_requests').values(fromRequest(request)))
      if (rows.length > 0) await tx.write((db) => db.insertInto('confirmations').values(rows))
      const asked = rows.map((row) => row.user_id)
      await noteAsked(tx, asked, request.createdAt)
      const wants = wanted.map((permission) => ({ approval_id: request.id, permission, expires_at: request.expiresAt }))
      if (wants.length > 0) await tx.write((db) => db.insertInto('wanted_permissions').values(wants))
      return true
    }),

  waitingFor: (userId, now, limit, tenants = null) =>
    waitingFor.all(database, { userId, now, limit, tenants: boundText(tenants) }),

  ask: (confirmation, most) =>
    database.transaction(async (tx) => {
      const { userId, approvalId, createdAt: now } = confirmation
      if (approvalId === null || !(await lockOpenAccounts(tx, [userId])).has(userId)) return false
      if ((await lockOpen(tx, approvalId, now)) === undefined) return false
      const asked = await tx.read((db) => db.selectFrom('confirmations').select('user_id').where('approval_id', '=', approvalId))
      if (asked.length >= most || asked.some((row) => row.user_id === userId)) return false
      await tx.write((db) => db.insertInto('confirmations').values(fromConfirmation(confirmation)))
      await noteAsked(tx, [userId], now)
      if (asked.length + 1 >= most) await wantNobody(tx, [approvalId])
      return true
    }),

  byId: (id) => readFirst(database, toRequest, (db) => db.selectFrom('approval_requests').select(columns).where('id', '=', id)),

  openOfType: (actionType, { afterId, limit, now }) =>
    readAll(database, toRequest, (db) =>
      openRequests(db, now)
        .select(columns)
        .where('action_type', '=', actionType)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit),
    ),

  openOf: (requestedBy, now, boundTo) => openOf(database, requestedBy, now, boundTo),

  displaysOf: async (ids) => {
    const rows = await database.read((db) => db.selectFrom('approval_requests').select(['id', 'display']).where('id', 'in', ids))
    return new Map(rows.map(({ id, display }) => [id, display]))
  },

  confirmationsOf: (id) =>
    readAll(database, toConfirmation, (db) =>
      db.selectFrom('confirmations').select(confirmationColumns).where('approval_id', '=', id),
    ),

  page: (query) => readAll(database, toRequest, (db) => requestsOnPage(db, query).select(columns)),

  allOfRequester: (requestedBy) =>
    readAll(database, toRequest, (db) =>
      db
        .selectFrom('approval_requests')
        .select(columns)
        .where('requested_by', '=', requestedBy)
        .orderBy('created_at')
        .orderBy('id'),
    ),
})
