import {
  type ApprovalRequest,
  type ApprovalStore,
  type Confirmation,
  type ConfirmationWithdrawal,
  erasedField,
  type Instant,
  type RequestStop,
  type RequestUse,
  type RequestWithdrawal,
  type SettledConfirmation,
  type Settlement,
} from '@countersign/core/storage'
import { type ExpressionBuilder, sql } from 'kysely'
import { isEndedByOthers } from '../identity/sessions/live-session.ts'
import { countOf, type Database } from '../shared/database.ts'
import type { DialectFeatures } from '../shared/dialect-features.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import type { Tables } from '../tables/index.ts'
import { isNotOfRequester } from './confirmations/approval-keys.ts'
import { settledColumns, toSettled } from './confirmations/confirmation-row.ts'
import { isInitiatedBy, openRequests, pending, updatePending } from './confirmations/pending-confirmations.ts'
import { isNoVouching, useApproval, voidApprovals } from './confirmations/use-approvals.ts'
import { lockOpen, wantNobody } from './open-requests.ts'
import { hasNoSubject } from './sweep-approvals.ts'

const settle = preparedQuery((db, { id, userId, outcome, deviceId, rejectReason, now }: Omit<Settlement, 'requestId'>) =>
  updatePending(db, userId, id, now).set({
    status: outcome,
    device_id: deviceId,
    reject_reason: rejectReason,
    updated_at: now,
  }),
)

const withdraw = preparedQuery((db, { confirmationId, userId, initiatedBy, now }: ConfirmationWithdrawal) =>
  updatePending(db, userId, confirmationId, now)
    .where('approval_id', 'is', null)
    .where((the) => isInitiatedBy(the, initiatedBy))
    .where(isNoVouching)
    .set({ status: sql.lit<Confirmation['status']>('expired'), withdrawn_at: now, updated_at: now }),
)

/** Closes the confirmations of ended requests that still wait for their approvers. */
const closePending = async (
  tx: Database,
  requestIds: readonly string[],
  now: Instant,
  end: { readonly status: Confirmation['status']; readonly withdrawn_at?: Instant } = { status: 'rejected' },
): Promise<readonly SettledConfirmation[]> => {
  await wantNobody(tx, requestIds)
  const rows = await tx.write((db) =>
    db
      .updateTable('confirmations')
      .where('approval_id', 'in', requestIds)
      .where('status', '=', pending)
      .set({ ...end, updated_at: now })
      .returning(settledColumns)
      .execute(),
  )
  return rows.map(toSettled)
}

/** Rejects a vote and its request. */
const rejectRequest = (database: Database, features: DialectFeatures, settlement: Settlement, requestId: string) =>
  database.transaction(async (tx) => {
    const { id, now } = settlement
    if ((await lockOpen(tx, features, requestId, now)) === undefined) return false
    const own = await tx.read((db) =>
      db.selectFrom('confirmations').select('id').where('id', '=', id).where('approval_id', '=', requestId).executeTakeFirst(),
    )
    if (own === undefined || (await tx.write((db) => settle.affected(db, settlement))) === 0) return false
    await storeStop(tx, settlement, requestId)
    return true
  })

/** Rejects a request and its pending confirmations, and stores by whom. */
const storeStop = async (tx: Database, { userId, now }: Pick<RequestStop, 'userId' | 'now'>, requestId: string) => {
  const end = { status: 'rejected', stopped_by: userId, stopped_at: now } as const
  await tx.write((db) => db.updateTable('approval_requests').where('id', '=', requestId).set(end).execute())
  await closePending(tx, [requestId], now)
}

const withdrawRequest = (database: Database, features: DialectFeatures, { requestId, approved, now }: RequestWithdrawal) =>
  database.transaction(async (tx) => {
    if ((await lockOpen(tx, features, requestId, now)) === undefined) return false
    const votes = await countOf(tx, (db) =>
      db.selectFrom('confirmations').where('approval_id', '=', requestId).where('status', '=', sql.lit('approved')),
    )
    if (votes !== approved) return false
    const end = { status: 'expired', withdrawn_at: now } as const
    await tx.write((db) => db.updateTable('approval_requests').where('id', '=', requestId).set(end).execute())
    await closePending(tx, [requestId], now, end)
    return true
  })

const stopRequest = (database: Database, features: DialectFeatures, { requestId, userId, reason, now }: RequestStop) =>
  database.transaction(async (tx) => {
    if ((await lockOpen(tx, features, requestId, now)) === undefined) return false
    const asked = await tx.write((db) =>
      db
        .updateTable('confirmations')
        .where('approval_id', '=', requestId)
        .where('user_id', '=', userId)
        .set({ reject_reason: reason })
        .returning('id')
        .execute(),
    )
    if (asked.length === 0) return false
    await storeStop(tx, { userId, now }, requestId)
    return true
  })

const useRequest = (database: Database, features: DialectFeatures, use: RequestUse) =>
  database.transaction(async (tx) => {
    const { requestId, confirmationIds, consumedBy, consumedKey, receipts, now } = use
    const request = await lockOpen(tx, features, requestId, now)
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
                  .where('approval_id', '=', requestId)
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
        .where('id', '=', requestId)
        .set({ status: 'redeemed', redeemed_at: now, redeemed_by: consumedBy, redeemed_key: consumedKey })
        .execute(),
    )
    for (const one of ids) {
      const used = { consumed_at: now, consumed_by: consumedBy, consumed_key: consumedKey }
      await tx.write((db) =>
        db
          .updateTable('confirmations')
          .where('id', '=', one)
          .set({ ...used, consumed_receipt: receipts.get(one) ?? null })
          .execute(),
      )
    }
    await closePending(tx, [requestId], now)
    return true
  })

/** Rejects the open requests that a user started, or only those of sessions that somebody else ended. */
const rejectRequestsOf = async (tx: Database, features: DialectFeatures, userId: number, now: Instant, only?: 'orphaned') => {
  const open = await tx.read((db) =>
    features
      .lockForUpdate(
        openRequests(db, now)
          .select('id')
          .where('requested_by', '=', userId)
          .$if(only !== undefined, (query) => query.where((the) => isEndedByOthers(db, the.ref('requested_in'))))
          .orderBy('id'),
      )
      .execute(),
  )
  const ids = open.map(({ id }) => id)
  if (ids.length === 0) return []
  await tx.write((db) => db.updateTable('approval_requests').where('id', 'in', ids).set({ status: 'rejected' }).execute())
  return closePending(tx, ids, now)
}

/** The vouchings for a device or passkey that was removed. */
const vouchesForRemoved = (the: ExpressionBuilder<Tables, 'confirmations'>) =>
  the.exists(
    the
      .selectFrom('vouchings')
      .select('vouchings.subject_id')
      .whereRef('vouchings.confirmation_id', '=', 'confirmations.id')
      .where((vouching) => hasNoSubject(vouching)),
  )

const rejectConfirmationsOf = async (tx: Database, userId: number, now: Instant, only?: 'orphaned') => {
  const rows = await tx.write((db) =>
    db
      .updateTable('confirmations')
      .where('user_id', '=', userId)
      .where('status', '=', pending)
      .where('expires_at', '>', now)
      .$if(only !== undefined, (query) =>
        query.where((the) => the.or([isEndedByOthers(db, the.ref('requested_by')), vouchesForRemoved(the)])),
      )
      .set({ status: sql.lit<Confirmation['status']>('rejected'), updated_at: now })
      .returning(settledColumns)
      .execute(),
  )
  return rows.map(toSettled)
}

export const approvalsStore = (database: Database, features: DialectFeatures): ApprovalStore => ({
  settle: async ({ requestId, ...settlement }) =>
    requestId === undefined
      ? (await database.write((db) => settle.affected(db, settlement))) > 0
      : rejectRequest(database, features, settlement, requestId),

  withdraw: async (withdrawal) =>
    'confirmationId' in withdrawal
      ? (await database.write((db) => withdraw.affected(db, withdrawal))) > 0
      : withdrawRequest(database, features, withdrawal),

  stop: (stop) => stopRequest(database, features, stop),

  use: async (use) =>
    'confirmationId' in use
      ? (await database.write((db) => useApproval.first(db, use))) !== undefined
      : useRequest(database, features, use),

  endAllOfUser: (userId, now, ended) =>
    database.transaction(async (tx) => {
      const only = ended === 'sessions' ? 'orphaned' : undefined
      const ofRequests = await rejectRequestsOf(tx, features, userId, now, only)
      const own = await rejectConfirmationsOf(tx, userId, now, only)
      if (ended === 'account') await tx.write((db) => voidApprovals.affected(db, { userId, now }))
      return [...ofRequests, ...own]
    }),

  eraseAllOfUser: (userId) =>
    database.transaction(async (tx) => {
      await tx.write((db) =>
        db.updateTable('approval_requests').set({ payload: erasedField }).where('requested_by', '=', userId).execute(),
      )
      await tx.write((db) =>
        db
          .updateTable('confirmations')
          .set({ requested_from: null })
          .where('approval_id', 'in', (the) =>
            the.selectFrom('approval_requests').select('id').where('requested_by', '=', userId),
          )
          .execute(),
      )
      await tx.write((db) =>
        db
          .updateTable('confirmations')
          .where('user_id', '=', userId)
          .set({
            payload: erasedField,
            nonce: erasedField,
            statement: erasedField,
            requested_from: null,
            match_number: null,
            reject_reason: null,
            consumed_receipt: null,
          })
          .execute(),
      )
      await tx.write((db) => db.deleteFrom('vouchings').where('user_id', '=', userId).execute())
      await tx.write((db) => db.deleteFrom('push_windows').where('user_id', '=', userId).execute())
    }),

  countExpired: async (since, now) => {
    const [confirmation, request] = await Promise.all([
      countOf(database, (db) =>
        db
          .selectFrom('confirmations')
          .where('status', '=', pending)
          .where('approval_id', 'is', null)
          .where('expires_at', '>', since)
          .where('expires_at', '<=', now),
      ),
      countOf(database, (db) =>
        db
          .selectFrom('approval_requests')
          .where('status', '=', sql.lit<ApprovalRequest['status']>('pending'))
          .where('expires_at', '>', since)
          .where('expires_at', '<=', now),
      ),
    ])
    return { confirmation, request }
  },
})
