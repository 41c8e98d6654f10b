import { type ApprovalRequestStore, boundText, erasedField } from '@countersign/core/storage'
import type { ApprovalRequest, Bound, Confirmation, Instant, SettledConfirmation } from '@countersign/core/types'
import { type Kysely, type Selectable, sql } from 'kysely'
import { coversTenant, toBound } from '../identity/bound.ts'
import { isEndedByOthers, lockLiveSession } from '../identity/sessions/live-session.ts'
import { noteAsked } from '../identity/users/permission-holders.ts'
import { countOf, type Database, readAll, readFirst } from '../shared/database.ts'
import type { DialectFeatures } from '../shared/dialect-features.ts'
import { none } from '../shared/none.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import type { ApprovalRequestsTable, Tables } from '../tables/index.ts'
import { isNotOfRequester } from './confirmations/approval-keys.ts'
import {
  confirmationColumns,
  fromConfirmation,
  settledColumns,
  toConfirmation,
  toSettled,
} from './confirmations/confirmation-row.ts'
import { settle } from './confirmations/confirmations-store.ts'
import { openRequests, pending } from './confirmations/pending-confirmations.ts'

const mapping = recordMapping(
  'id requestedBy requestedIn tenant actionType payload display terms count status createdAt expiresAt redeemedAt',
  'redeemedBy redeemedKey withdrawnAt',
)
const columns = [...mapping.columns, 'bound_to'] as const

const toRequest = (row: Selectable<ApprovalRequestsTable>): ApprovalRequest => ({
  ...mapping.toRecord(row),
  boundTo: toBound(row.bound_to),
})

const fromRequest = (request: ApprovalRequest): Selectable<ApprovalRequestsTable> => ({
  ...mapping.toRow(request),
  bound_to: boundText(request.boundTo),
})

const openOf = (database: Database, requestedBy: number, now: Instant, boundTo: Bound = null): Promise<number> =>
  countOf(database, (db) =>
    openRequests(db, now)
      .where('requested_by', '=', requestedBy)
      .where('bound_to', boundTo === null ? 'is' : '=', boundText(boundTo)),
  )

/** Locks an open request until the transaction ends. Every other end of the request waits for the lock. */
const lockOpen = (tx: Database, { lockForUpdate }: DialectFeatures, id: string, now: Instant) =>
  tx.read((db) =>
    lockForUpdate(openRequests(db, now).select(['id', 'count', 'requested_by']).where('id', '=', id)).executeTakeFirst(),
  )

/** Locks the open accounts among these users, in the order of their ids, so that two requests cannot deadlock. */
const lockOpenAccounts = async (
  tx: Database,
  { lockForUpdate }: DialectFeatures,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await tx.read((db) =>
    lockForUpdate(
      db.selectFrom('users').select(['id', 'disabled_at', 'locked_at']).where('id', 'in', ids).orderBy('id'),
    ).execute(),
  )
  return new Set(rows.filter((row) => row.disabled_at === null && row.locked_at === null).map(({ id }) => id))
}

const wantNobody = (tx: Database, approvalIds: readonly string[]) =>
  tx.write((db) => db.deleteFrom('wanted_permissions').where('approval_id', 'in', approvalIds).execute())

/** Closes the confirmations of ended requests that still wait for their approvers. */
const closePending = async (
  tx: Database,
  approvalIds: readonly string[],
  now: Instant,
  end: { readonly status: Confirmation['status']; readonly withdrawn_at?: Instant } = { status: 'rejected' },
): Promise<readonly SettledConfirmation[]> => {
  await wantNobody(tx, approvalIds)
  const rows = await tx.write((db) =>
    db
      .updateTable('confirmations')
      .where('approval_id', 'in', approvalIds)
      .where('status', '=', pending)
      .set({ ...end, updated_at: now })
      .returning(settledColumns)
      .execute(),
  )
  return rows.map(toSettled)
}

/** A question which requests could still ask a user, in one of these tenants. */
interface Wanting {
  readonly userId: number
  readonly now: Instant
  readonly limit: number
  readonly tenants: string | null
}

/**
 * The newest open requests that need a permission which a user holds or got by a delegation. The index has the expiry, so the
 * query skips expired requests.
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

const waitingFor = preparedQuery((db, given: Wanting) =>
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
)

export const approvalRequestsStore = (database: Database, features: DialectFeatures): ApprovalRequestStore => ({
  open: (request, confirmations, openLimit, wanted = []) =>
    database.transaction(async (tx) => {
      const parties = [request.requestedBy, ...confirmations.map(({ userId }) => userId)]
      const accounts = await lockOpenAccounts(tx, features, parties)
      const { requestedBy: userId, requestedIn: sessionId } = request
      if (!accounts.has(userId)) return false
      if (sessionId !== null && !(await lockLiveSession(tx, features, { sessionId, userId }))) return false
      if ((await openOf(tx, userId, request.createdAt, request.boundTo)) >= openLimit) return false
      const rows = confirmations.filter(({ userId }) => accounts.has(userId)).map(fromConfirmation)
      await tx.write((db) => db.insertInto('approval_requests').values(fromRequest(request)).execute())
      if (rows.length > 0) await tx.write((db) => db.insertInto('confirmations').values(rows).execute())
      const asked = rows.map((row) => row.user_id)
      await noteAsked(tx, asked, request.createdAt)
      const wants = wanted.map((permission) => ({ approval_id: request.id, permission, expires_at: request.expiresAt }))
      if (wants.length > 0) await tx.write((db) => db.insertInto('wanted_permissions').values(wants).execute())
      return true
    }),

  waitingFor: (userId, now, limit, tenants = null) =>
    readAll(database, toRequest, (db) => waitingFor.all(db, { userId, now, limit, tenants: boundText(tenants) })),

  ask: (confirmation, most) =>
    database.transaction(async (tx) => {
      const { userId, approvalId, createdAt: now } = confirmation
      if (approvalId === null || !(await lockOpenAccounts(tx, features, [userId])).has(userId)) return false
      if ((await lockOpen(tx, features, approvalId, now)) === undefined) return false
      const asked = await tx.read((db) =>
        db.selectFrom('confirmations').select('user_id').where('approval_id', '=', approvalId).execute(),
      )
      if (asked.length >= most || asked.some((row) => row.user_id === userId)) return false
      await tx.write((db) => db.insertInto('confirmations').values(fromConfirmation(confirmation)).execute())
      await noteAsked(tx, [userId], now)
      if (asked.length + 1 >= most) await wantNobody(tx, [approvalId])
      return true
    }),

  byId: (id) =>
    readFirst(database, toRequest, (db) =>
      db.selectFrom('approval_requests').select(columns).where('id', '=', id).executeTakeFirst(),
    ),

  openOfType: (actionType, { afterId, limit, now }) =>
    readAll(database, toRequest, (db) =>
      openRequests(db, now)
        .select(columns)
        .where('action_type', '=', actionType)
        .where('id', '>', afterId)
        .orderBy('id')
        .limit(limit)
        .execute(),
    ),

  openOf: (requestedBy, now, boundTo) => openOf(database, requestedBy, now, boundTo),

  displaysOf: async (ids) => {
    const rows = await database.read((db) =>
      db.selectFrom('approval_requests').select(['id', 'display']).where('id', 'in', ids).execute(),
    )
    return new Map(rows.map(({ id, display }) => [id, display]))
  },

  confirmationsOf: (id) =>
    readAll(database, toConfirmation, (db) =>
      db.selectFrom('confirmations').select(confirmationColumns).where('approval_id', '=', id).execute(),
    ),

  use: ({ id, confirmationIds, redeemedBy, redeemedKey, receipts, now }) =>
    database.transaction(async (tx) => {
      const request = await lockOpen(tx, features, id, now)
      const ids = [...new Set(confirmationIds)]
      if (request === undefined || ids.length !== request.count || ids.length !== confirmationIds.length) return false
      const approved =
        ids.length === 0
          ? []
          : await tx.read((db) =>
              features
                .lockForUpdate(
                  db
                    .selectFrom('confirmations')
                    .select(['id', 'device_thumbprint'])
                    .where('id', 'in', ids)
                    .where('approval_id', '=', id)
                    .where(isNotOfRequester)
                    .where('user_id', '!=', request.requested_by)
                    .where('status', '=', sql.lit('approved'))
                    .where('consumed_at', 'is', null)
                    .where('voided_at', 'is', null)
                    .orderBy('id'),
                )
                .execute(),
            )
      if (new Set(approved.map((row) => row.device_thumbprint)).size !== request.count) return false
      await tx.write((db) =>
        db
          .updateTable('approval_requests')
          .where('id', '=', id)
          .set({ status: 'redeemed', redeemed_at: now, redeemed_by: redeemedBy, redeemed_key: redeemedKey })
          .execute(),
      )
      for (const one of ids) {
        const use = { consumed_at: now, consumed_by: redeemedBy, consumed_key: redeemedKey }
        await tx.write((db) =>
          db
            .updateTable('confirmations')
            .where('id', '=', one)
            .set({ ...use, consumed_receipt: receipts.get(one) ?? null })
            .execute(),
        )
      }
      await closePending(tx, [id], now)
      return true
    }),

  reject: ({ approvalId, id, userId, rejectReason, now }) =>
    database.transaction(async (tx) => {
      if ((await lockOpen(tx, features, approvalId, now)) === undefined) return false
      const own = await tx.read((db) =>
        db.selectFrom('confirmations').select('id').where('id', '=', id).where('approval_id', '=', approvalId).executeTakeFirst(),
      )
      if (own === undefined) return false
      const rejection = { id, userId, outcome: 'rejected', deviceId: null, rejectReason, now } as const
      if ((await tx.write((db) => settle.affected(db, rejection))) === 0) return false
      await tx.write((db) =>
        db.updateTable('approval_requests').where('id', '=', approvalId).set({ status: 'rejected' }).execute(),
      )
      await closePending(tx, [approvalId], now)
      return true
    }),

  countExpired: (since, now) =>
    countOf(database, (db) =>
      db
        .selectFrom('approval_requests')
        .where('status', '=', sql.lit<ApprovalRequest['status']>('pending'))
        .where('expires_at', '>', since)
        .where('expires_at', '<=', now),
    ),

  withdraw: ({ id, approved, now }) =>
    database.transaction(async (tx) => {
      if ((await lockOpen(tx, features, id, now)) === undefined) return false
      const votes = await countOf(tx, (db) =>
        db.selectFrom('confirmations').where('approval_id', '=', id).where('status', '=', sql.lit('approved')),
      )
      if (votes !== approved) return false
      const end = { status: 'expired', withdrawn_at: now } as const
      await tx.write((db) => db.updateTable('approval_requests').where('id', '=', id).set(end).execute())
      await closePending(tx, [id], now, end)
      return true
    }),

  rejectAllOfRequester: (requestedBy, now, only) =>
    database.transaction(async (tx) => {
      const open = await tx.read((db) =>
        features
          .lockForUpdate(
            openRequests(db, now)
              .select('id')
              .where('requested_by', '=', requestedBy)
              .$if(only !== undefined, (query) => query.where((the) => isEndedByOthers(db, the.ref('requested_in'))))
              .orderBy('id'),
          )
          .execute(),
      )
      const ids = open.map(({ id }) => id)
      if (ids.length === 0) return []
      await tx.write((db) => db.updateTable('approval_requests').where('id', 'in', ids).set({ status: 'rejected' }).execute())
      return closePending(tx, ids, now)
    }),

  allOfRequester: (requestedBy) =>
    readAll(database, toRequest, (db) =>
      db
        .selectFrom('approval_requests')
        .select(columns)
        .where('requested_by', '=', requestedBy)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    ),

  eraseAllOfRequester: (requestedBy) =>
    database.transaction(async (tx) => {
      await tx.write((db) =>
        db.updateTable('approval_requests').set({ payload: erasedField }).where('requested_by', '=', requestedBy).execute(),
      )
      await tx.write((db) =>
        db
          .updateTable('confirmations')
          .set({ requested_from: null })
          .where('approval_id', 'in', (the) =>
            the.selectFrom('approval_requests').select('id').where('requested_by', '=', requestedBy),
          )
          .execute(),
      )
    }),
})
