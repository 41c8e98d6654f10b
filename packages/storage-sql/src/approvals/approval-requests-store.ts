import {
  type ApprovalRequest,
  type ApprovalRequestStore,
  type Confirmation,
  erasedField,
  type Instant,
} from '@countersign/core/storage'
import { type Kysely, type Selectable, sql } from 'kysely'
import { isEndedByOthers, lockLiveSession } from '../identity/sessions/live-session.ts'
import type { Database } from '../shared/database.ts'
import type { DialectFeatures } from '../shared/dialect-features.ts'
import type { ApprovalRequestsTable, Tables } from '../tables/index.ts'
import { isNotOfRequester } from './confirmations/approval-keys.ts'
import { confirmationColumns, fromConfirmation, toConfirmation } from './confirmations/confirmation-row.ts'
import { pending, settle } from './confirmations/confirmations-store.ts'

const columns = [
  'id',
  'requested_by',
  'requested_in',
  'scope',
  'action_type',
  'payload',
  'display',
  'terms',
  'count',
  'status',
  'created_at',
  'expires_at',
  'redeemed_at',
  'redeemed_by',
  'redeemed_key',
  'withdrawn_at',
] as const satisfies readonly (keyof ApprovalRequestsTable)[]

const toRequest = (row: Selectable<ApprovalRequestsTable>): ApprovalRequest => ({
  id: row.id,
  requestedBy: row.requested_by,
  requestedIn: row.requested_in,
  scope: row.scope,
  actionType: row.action_type,
  payload: row.payload,
  display: row.display,
  terms: row.terms,
  count: row.count,
  status: row.status,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  redeemedAt: row.redeemed_at,
  redeemedBy: row.redeemed_by,
  redeemedKey: row.redeemed_key,
  withdrawnAt: row.withdrawn_at,
})

const fromRequest = (request: ApprovalRequest): Selectable<ApprovalRequestsTable> => ({
  id: request.id,
  requested_by: request.requestedBy,
  requested_in: request.requestedIn,
  scope: request.scope,
  action_type: request.actionType,
  payload: request.payload,
  display: request.display,
  terms: request.terms,
  count: request.count,
  status: request.status,
  created_at: request.createdAt,
  expires_at: request.expiresAt,
  redeemed_at: request.redeemedAt,
  redeemed_by: request.redeemedBy,
  redeemed_key: request.redeemedKey,
  withdrawn_at: request.withdrawnAt,
})

/** The status is a literal, because a database uses the partial index of pending rows only without a parameter here. */
const openRequests = (db: Kysely<Tables>, now: Instant) =>
  db
    .selectFrom('approval_requests')
    .where('status', '=', sql.lit<ApprovalRequest['status']>('pending'))
    .where('expires_at', '>', now)

const openOf = async (database: Database, requestedBy: number, now: Instant): Promise<number> => {
  const { waiting } = await database.read((db) =>
    openRequests(db, now)
      .where('requested_by', '=', requestedBy)
      .select((the) => the.fn.countAll<number>().as('waiting'))
      .executeTakeFirstOrThrow(),
  )
  return Number(waiting)
}

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

const closePending = async (
  tx: Database,
  approvalIds: readonly string[],
  now: Instant,
  end: { readonly status: Confirmation['status']; readonly withdrawn_at?: Instant } = { status: 'rejected' },
): Promise<void> => {
  await tx.write((db) =>
    db
      .updateTable('confirmations')
      .where('approval_id', 'in', approvalIds)
      .where('status', '=', pending)
      .set({ ...end, updated_at: now })
      .execute(),
  )
}

export const approvalRequestsStore = (database: Database, features: DialectFeatures): ApprovalRequestStore => ({
  open: (request, confirmations, openLimit) =>
    database.transaction(async (tx) => {
      const parties = [request.requestedBy, ...confirmations.map(({ userId }) => userId)]
      const accounts = await lockOpenAccounts(tx, features, parties)
      const { requestedBy: userId, requestedIn: sessionId } = request
      if (!accounts.has(userId)) return false
      if (sessionId !== null && !(await lockLiveSession(tx, features, { sessionId, userId }))) return false
      if ((await openOf(tx, userId, request.createdAt)) >= openLimit) return false
      const rows = confirmations.filter(({ userId }) => accounts.has(userId)).map(fromConfirmation)
      await tx.write((db) => db.insertInto('approval_requests').values(fromRequest(request)).execute())
      if (rows.length > 0) await tx.write((db) => db.insertInto('confirmations').values(rows).execute())
      return true
    }),

  byId: async (id) => {
    const row = await database.read((db) =>
      db.selectFrom('approval_requests').select(columns).where('id', '=', id).executeTakeFirst(),
    )
    return row && toRequest(row)
  },

  openOf: (requestedBy, now) => openOf(database, requestedBy, now),

  displaysOf: async (ids) => {
    const rows = await database.read((db) =>
      db.selectFrom('approval_requests').select(['id', 'display']).where('id', 'in', ids).execute(),
    )
    return new Map(rows.map(({ id, display }) => [id, display]))
  },

  confirmationsOf: async (id) => {
    const rows = await database.read((db) =>
      db.selectFrom('confirmations').select(confirmationColumns).where('approval_id', '=', id).execute(),
    )
    return rows.map(toConfirmation)
  },

  redeem: ({ id, confirmationIds, redeemedBy, redeemedKey, receipts, now }) =>
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

  withdraw: ({ id, approved, now }) =>
    database.transaction(async (tx) => {
      if ((await lockOpen(tx, features, id, now)) === undefined) return false
      const { votes } = await tx.read((db) =>
        db
          .selectFrom('confirmations')
          .where('approval_id', '=', id)
          .where('status', '=', sql.lit('approved'))
          .select((the) => the.fn.countAll<number>().as('votes'))
          .executeTakeFirstOrThrow(),
      )
      if (Number(votes) !== approved) return false
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
      if (ids.length === 0) return 0
      await tx.write((db) => db.updateTable('approval_requests').where('id', 'in', ids).set({ status: 'rejected' }).execute())
      await closePending(tx, ids, now)
      return ids.length
    }),

  allOfRequester: async (requestedBy) => {
    const rows = await database.read((db) =>
      db
        .selectFrom('approval_requests')
        .select(columns)
        .where('requested_by', '=', requestedBy)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    )
    return rows.map(toRequest)
  },

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
