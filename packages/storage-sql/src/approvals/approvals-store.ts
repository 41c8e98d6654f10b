import {
  type ApprovalStore,
  type ConfirmationWithdrawal,
  erasedField,
  type Instant,
  type RequestStop,
  type RequestUse,
  type RequestWithdrawal,
  type SettledConfirmation,
  type Settlement,
} from '@countersign/core/storage'
import type { ExpressionBuilder } from 'kysely'
import { isEndedByOthers } from '../identity/sessions/live-session.ts'
import { countOf, type Database, didWrite, finds } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import type { Row, Tables } from '../tables/index.ts'
import { isNotOfRequester } from './confirmations/approval-keys.ts'
import { settledColumns, toSettled } from './confirmations/confirmation-row.ts'
import { isInitiatedBy, literal, openRequests, pending, updatePending } from './confirmations/pending-confirmations.ts'
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
    .set({ status: literal('expired'), withdrawn_at: now, updated_at: now }),
)

interface RequestEnd extends Partial<Row<'approval_requests'>> {
  readonly status: 'rejected' | 'expired' | 'redeemed'
}

/** Ends requests, and closes their confirmations that still wait for approvers. Returns these confirmations. */
const endRequests = async (
  tx: Database,
  requestIds: readonly string[],
  now: Instant,
  end: RequestEnd,
): Promise<readonly SettledConfirmation[]> => {
  await tx.write((db) => db.updateTable('approval_requests').where('id', 'in', requestIds).set(end))
  await wantNobody(tx, requestIds)
  const closed = end.status === 'expired' ? { status: end.status, withdrawn_at: now } : { status: 'rejected' as const }
  const rows = await tx.write((db) =>
    db
      .updateTable('confirmations')
      .where('approval_id', 'in', requestIds)
      .where('status', '=', pending)
      .set({ ...closed, updated_at: now })
      .returning(settledColumns),
  )
  return rows.map(toSettled)
}

type OpenRequest = NonNullable<Awaited<ReturnType<typeof lockOpen>>>

/** Locks an open request, and ends the request as `decide` says; not if `decide` returns nothing. Returns whether it ended. */
const endOpen = (
  database: Database,
  { requestId, now }: { readonly requestId: string; readonly now: Instant },
  decide: (tx: Database, request: OpenRequest) => Promise<RequestEnd | undefined>,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const request = await lockOpen(tx, requestId, now)
    const end = request && (await decide(tx, request))
    if (end === undefined) return false
    await endRequests(tx, [requestId], now, end)
    return true
  })

const stoppedBy = ({ userId, now }: Pick<RequestStop, 'userId' | 'now'>): RequestEnd => {
  return { status: 'rejected', stopped_by: userId, stopped_at: now }
}

/** Rejects a vote and its request. */
const rejectRequest = (database: Database, settlement: Settlement, requestId: string) =>
  endOpen(database, { requestId, now: settlement.now }, async (tx) => {
    const isOfRequest = await finds(tx, (db) =>
      db.selectFrom('confirmations').select('id').where('id', '=', settlement.id).where('approval_id', '=', requestId),
    )
    return isOfRequest && (await settle.affected(tx, settlement)) > 0 ? stoppedBy(settlement) : undefined
  })

const withdrawRequest = (database: Database, withdrawal: RequestWithdrawal) =>
  endOpen(database, withdrawal, async (tx, { id }) => {
    const votes = await countOf(tx, (db) =>
      db.selectFrom('confirmations').where('approval_id', '=', id).where('status', '=', literal('approved')),
    )
    return votes === withdrawal.approved ? { status: 'expired', withdrawn_at: withdrawal.now } : undefined
  })

const stopRequest = (database: Database, stop: RequestStop) =>
  endOpen(database, stop, async (tx, { id }) => {
    const asked = await didWrite(tx, (db) =>
      db
        .updateTable('confirmations')
        .where('approval_id', '=', id)
        .where('user_id', '=', stop.userId)
        .set({ reject_reason: stop.reason }),
    )
    return asked ? stoppedBy(stop) : undefined
  })

/** Locks the unused approvals of a request by people other than its requester, and with other keys. */
const lockApprovals = (tx: Database, request: OpenRequest, ids: readonly string[]) =>
  tx.read((db) =>
    tx.locks.lockForUpdate(
      db
        .selectFrom('confirmations')
        .select(['id', 'device_thumbprint'])
        .where('id', 'in', ids)
        .where('approval_id', '=', request.id)
        .where(isNotOfRequester)
        .where('user_id', '!=', request.requested_by)
        .where('status', '=', literal('approved'))
        .where('consumed_at', 'is', null)
        .where('voided_at', 'is', null)
        .orderBy('id'),
    ),
  )

const useRequest = (database: Database, use: RequestUse) =>
  endOpen(database, use, async (tx, request) => {
    const { confirmationIds, consumedBy, consumedKey, receipts, now } = use
    const ids = [...new Set(confirmationIds)]
    if (ids.length !== request.count || ids.length !== confirmationIds.length) return undefined
    const approved = ids.length === 0 ? [] : await lockApprovals(tx, request, ids)
    if (new Set(approved.map((row) => row.device_thumbprint)).size !== request.count) return undefined
    for (const one of ids) {
      const used = { consumed_at: now, consumed_by: consumedBy, consumed_key: consumedKey }
      await tx.write((db) =>
        db
          .updateTable('confirmations')
          .where('id', '=', one)
          .set({ ...used, consumed_receipt: receipts.get(one) ?? null }),
      )
    }
    return { status: 'redeemed', redeemed_at: now, redeemed_by: consumedBy, redeemed_key: consumedKey }
  })

/** Rejects the open requests that a user started, or only those of sessions that somebody else ended. */
const rejectRequestsOf = async (tx: Database, userId: number, now: Instant, only?: 'orphaned') => {
  const open = await tx.read((db) =>
    tx.locks.lockForUpdate(
      openRequests(db, now)
        .select('id')
        .where('requested_by', '=', userId)
        .$if(only !== undefined, (query) => query.where((the) => isEndedByOthers(db, the.ref('requested_in'))))
        .orderBy('id'),
    ),
  )
  const ids = open.map(({ id }) => id)
  return ids.length === 0 ? [] : endRequests(tx, ids, now, { status: 'rejected' })
}

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
      .set({ status: literal('rejected'), updated_at: now })
      .returning(settledColumns),
  )
  return rows.map(toSettled)
}

export const approvalsStore = (database: Database): ApprovalStore => ({
  settle: async ({ requestId, ...settlement }) =>
    requestId === undefined ? (await settle.affected(database, settlement)) > 0 : rejectRequest(database, settlement, requestId),

  withdraw: async (withdrawal) =>
    'confirmationId' in withdrawal ? (await withdraw.affected(database, withdrawal)) > 0 : withdrawRequest(database, withdrawal),

  stop: (stop) => stopRequest(database, stop),

  use: async (use) =>
    'confirmationId' in use ? (await useApproval.written(database, use)) !== undefined : useRequest(database, use),

  endAllOfUser: (userId, now, ended) =>
    database.transaction(async (tx) => {
      const only = ended === 'sessions' ? 'orphaned' : undefined
      const ofRequests = await rejectRequestsOf(tx, userId, now, only)
      const own = await rejectConfirmationsOf(tx, userId, now, only)
      if (ended === 'account') await voidApprovals.affected(tx, { userId, now })
      return [...ofRequests, ...own]
    }),

  eraseAllOfUser: (userId) =>
    database.transaction(async (tx) => {
      await tx.write((db) => db.updateTable('approval_requests').set({ payload: erasedField }).where('requested_by', '=', userId))
      await tx.write((db) =>
        db
          .updateTable('confirmations')
          .set({ requested_from: null })
          .where('approval_id', 'in', (the) =>
            the.selectFrom('approval_requests').select('id').where('requested_by', '=', userId),
          ),
      )
      await tx.write((db) =>
        db.updateTable('confirmations').where('user_id', '=', userId).set({
          payload: erasedField,
          nonce: erasedField,
          statement: erasedField,
          requested_from: null,
          match_number: null,
          reject_reason: null,
          consumed_receipt: null,
        }),
      )
      await tx.write((db) => db.deleteFrom('vouchings').where('user_id', '=', userId))
      await tx.write((db) => db.deleteFrom('push_windows').where('user_id', '=', userId))
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
          .where('status', '=', literal('pending'))
          .where('expires_at', '>', since)
          .where('expires_at', '<=', now),
      ),
    ])
    return { confirmation, request }
  },
})
