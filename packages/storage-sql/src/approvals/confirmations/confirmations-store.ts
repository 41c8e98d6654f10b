import { boundText, type ConfirmationStore, erasedField } from '@countersign/core/storage'
import type { Confirmation, Instant, LiveApproval, Settlement, Withdrawal } from '@countersign/core/types'
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { hasSameBound, reachesConfirmation, toBound } from '../../identity/bound.ts'
import { isEndedByOthers, liveSession, lockLiveSessionRow } from '../../identity/sessions/live-session.ts'
import { lockUserRow } from '../../identity/users/lock-user.ts'
import { countWritten, type Database, readAll, readFirst } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { ConfirmationsTable, Tables } from '../../tables/index.ts'
import { hasNoSubject } from '../sweep-approvals.ts'
import { approve } from './approve-confirmation.ts'
import { readConfirmationPage } from './confirmation-page.ts'
import {
  confirmationColumns as columns,
  fromConfirmation,
  settledColumns,
  toConfirmation,
  toSettled,
} from './confirmation-row.ts'
import { finishedConfirmations } from './finished-confirmations.ts'
import { openRequests, pending, pendingOfUser, updatePending } from './pending-confirmations.ts'
import { isNoVouching, openAccount, useApproval, voidApprovals } from './use-approvals.ts'

const withdraw = preparedQuery((db, { id, userId, initiatedBy, now }: Withdrawal) =>
  updatePending(db, userId, id, now)
    .where('approval_id', 'is', null)
    .where((the) => isInitiatedBy(the, initiatedBy))
    .where(isNoVouching)
    .set({ status: sql.lit<Confirmation['status']>('expired'), withdrawn_at: now, updated_at: now }),
)

interface Limited extends Selectable<ConfirmationsTable> {
  readonly limit: number
  readonly countedTenant: string | null
}

/** No service has an empty name. */
const isInitiatedBy = (the: ExpressionBuilder<Tables, 'confirmations'>, initiatedBy: Confirmation['initiatedBy']) =>
  sql<SqlBool>`coalesce(${the.ref('initiated_by')}, '') = coalesce(${initiatedBy}, '')`

/**
 * The confirmations that count towards the limit of an initiator: a service, or `null` for the sessions of the user with one bound.
 * A counted tenant leaves out the confirmations of all others.
 */
const countsFor =
  ({ initiated_by: initiatedBy, bound_to: boundTo, countedTenant }: Limited) =>
  (the: ExpressionBuilder<Tables, 'confirmations'>) =>
    the.and([
      isNoVouching(the),
      the('approval_id', 'is', null),
      isInitiatedBy(the, initiatedBy),
      hasSameBound(the.ref('bound_to'), boundTo),
      the.or([sql<SqlBool>`cast(${countedTenant} as text) is null`, the('tenant', '=', countedTenant)]),
    ])

/** The vouchings for a device or passkey that was removed. */
const vouchesForRemoved = (the: ExpressionBuilder<Tables, 'confirmations'>) =>
  the.exists(
    the
      .selectFrom('vouchings')
      .select('vouchings.subject_id')
      .whereRef('vouchings.confirmation_id', '=', 'confirmations.id')
      .where((vouching) => hasNoSubject(vouching)),
  )

/** The count sees only rows that were committed before the statement, so the user's row is locked first. */
const insertBelowLimit = preparedQuery((db, given: Limited) =>
  db
    .insertInto('confirmations')
    .columns(columns)
    .expression(
      db
        .selectNoFrom(columns.map((column) => sql`${given[column]}`.as(column)))
        .where((the) => the.exists(openAccount(db, given.user_id)))
        .where((the) =>
          the.or([
            sql<SqlBool>`cast(${given.requested_by} as text) is null`,
            // The value is null only if the first condition holds.
            the.exists(liveSession(db, { sessionId: given.requested_by as string, userId: given.user_id })),
          ]),
        )
        .where((the) =>
          the(
            pendingOfUser(db, given.user_id, given.created_at).where(countsFor(given)).select(the.fn.countAll().as('waiting')),
            '<',
            given.limit,
          ),
        ),
    ),
)

const ofUser = preparedQuery((db, { userId, id }: { readonly userId: number; readonly id: string }) =>
  db.selectFrom('confirmations').select(columns).where('id', '=', id).where('user_id', '=', userId),
)

const ofService = preparedQuery((db, { service, id }: { readonly service: string; readonly id: string }) =>
  db
    .selectFrom('confirmations')
    .select(columns)
    .where('id', '=', id)
    .where((the) => the.or([the('initiated_by', 'is', null), the('initiated_by', '=', service)]))
    .where('approval_id', 'is', null)
    .where(isNoVouching),
)

export const settle = preparedQuery((db, { id, userId, outcome, deviceId, rejectReason, now }: Settlement) =>
  updatePending(db, userId, id, now).set({
    status: outcome,
    device_id: deviceId,
    reject_reason: rejectReason,
    updated_at: now,
  }),
)

interface WrongAttempt {
  readonly userId: number
  readonly id: string
  readonly limit: number
  readonly now: Instant
}

/** Counts one wrong attempt. At `limit`, the same statement rejects the confirmation. */
const countWrong = async (
  database: Database,
  counter: 'wrong_signatures' | 'wrong_match_numbers',
  { userId, id, limit, now }: WrongAttempt,
): Promise<boolean> => {
  const row = await database.write((db) =>
    updatePending(db, userId, id, now)
      .set((the) => {
        const isLast = the(the(counter, '+', 1), '>=', limit)
        return {
          [counter]: the(counter, '+', 1),
          status: the.case().when(isLast).then(sql.lit<Confirmation['status']>('rejected')).else(the.ref('status')).end(),
          updated_at: the.case().when(isLast).then(the.val(now)).else(the.ref('updated_at')).end(),
        }
      })
      .returning('status')
      .executeTakeFirst(),
  )
  return row?.status === 'rejected'
}

export const confirmationsStore = (database: Database, features: DialectFeatures): ConfirmationStore => ({
  ...finishedConfirmations(database),

  initiate: async (confirmation, pendingLimit, countedTenant = null) => {
    const { userId, requestedBy: sessionId } = confirmation
    const written = await database.batch((db) => [
      lockUserRow.statement(db, { id: userId }, features),
      ...(sessionId === null ? [] : [lockLiveSessionRow.statement(db, { sessionId, userId }, features)]),
      insertBelowLimit.statement(db, { ...fromConfirmation(confirmation), limit: pendingLimit, countedTenant }),
    ])
    return (written.at(-1) ?? 0) > 0
  },

  ofUser: (userId, id) => readFirst(database, toConfirmation, (db) => ofUser.first(db, { userId, id })),

  ofService: (service, id) => readFirst(database, toConfirmation, (db) => ofService.first(db, { service, id })),

  byId: (id) =>
    readFirst(database, toConfirmation, (db) =>
      db.selectFrom('confirmations').select(columns).where('id', '=', id).executeTakeFirst(),
    ),

  pendingOfUser: (userId, now, requestLimit, tenants = null) =>
    readAll(database, toConfirmation, (db) => {
      const reached = pendingOfUser(db, userId, now).$if(tenants !== null, (query) =>
        query.where(reachesConfirmation(boundText(tenants))),
      )
      const newest = reached.orderBy('created_at', 'desc').orderBy('id', 'desc')
      const ofRequests = newest.select('id').where('approval_id', 'is not', null)
      return newest
        .select(columns)
        .$if(requestLimit !== undefined, (query) =>
          query.where((the) => the.or([the('approval_id', 'is', null), the('id', 'in', ofRequests.limit(requestLimit ?? 0))])),
        )
        .execute()
    }),

  expiring: async (userId, now) => {
    const rows = await database.read((db) =>
      pendingOfUser(db, userId, now)
        .select([
          'id',
          'requested_by as session_id',
          'tenant',
          'bound_to',
          'expires_at',
          sql.lit<LiveApproval['kind']>('confirmation').as('kind'),
        ])
        .unionAll(
          openRequests(db, now)
            .where('requested_by', '=', userId)
            .select(['id', 'requested_in as session_id', 'tenant', 'bound_to', 'expires_at'])
            .select(sql.lit<LiveApproval['kind']>('approval_request').as('kind')),
        )
        .execute(),
    )
    return rows.map(({ id, session_id: sessionId, tenant, bound_to: boundTo, expires_at: expiresAt, kind }): LiveApproval => {
      return { kind, id, userId, sessionId, tenant, boundTo: toBound(boundTo), status: 'pending', expiresAt }
    })
  },

  approve: (approval) => approve(database, features, approval),

  settle: async (settlement) => (await database.write((db) => settle.affected(db, settlement))) > 0,

  withdraw: async (withdrawal) => (await database.write((db) => withdraw.affected(db, withdrawal))) > 0,

  rejectAllOfUser: async (userId, now, only) => {
    const rows = await database.write((db) =>
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
  },

  use: async (use) => (await database.write((db) => useApproval.first(db, use))) !== undefined,

  voidAllOfUser: (userId, now) => database.write((db) => voidApprovals.affected(db, { userId, now })),

  page: (query) => readConfirmationPage(database, query),

  allOfUser: (userId) =>
    readAll(database, toConfirmation, (db) =>
      db.selectFrom('confirmations').select(columns).where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute(),
    ),

  eraseAllOfUser: (userId) =>
    countWritten(database, (db) =>
      db.updateTable('confirmations').where('user_id', '=', userId).set({
        payload: erasedField,
        nonce: erasedField,
        statement: erasedField,
        requested_from: null,
        match_number: null,
        reject_reason: null,
        consumed_receipt: null,
      }),
    ),

  countWrongSignature: (userId, id, limit, now) => countWrong(database, 'wrong_signatures', { userId, id, limit, now }),

  countWrongMatchNumber: (userId, id, limit, now) => countWrong(database, 'wrong_match_numbers', { userId, id, limit, now }),
})
