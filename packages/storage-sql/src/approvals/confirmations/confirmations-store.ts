import {
  boundText,
  type Confirmation,
  type ConfirmationStore,
  type LiveApproval,
  type WrongAttempt,
} from '@countersign/core/storage'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { hasSameBound, reachesConfirmation } from '../../identity/bound.ts'
import { liveSession, lockLiveSession } from '../../identity/sessions/live-session.ts'
import { lockUserRow } from '../../identity/users/lock-user.ts'
import { type Database, readAll } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { toBound } from '../../shared/record-mapping.ts'
import type { Row, Tables } from '../../tables/index.ts'
import { approve } from './approve-confirmation.ts'
import { readConfirmationPage } from './confirmation-page.ts'
import { confirmationColumns as columns, fromConfirmation, toConfirmation } from './confirmation-row.ts'
import { finishedConfirmations } from './finished-confirmations.ts'
import { isInitiatedBy, openRequests, pendingOfUser, updatePending } from './pending-confirmations.ts'
import { isNoVouching, openAccount } from './use-approvals.ts'

interface Limited extends Row<'confirmations'> {
  readonly limit: number
  readonly countedTenant: string | null
}

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
            // The value is null only if the first condition is true.
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

const byId = preparedQuery(
  (db, { id }: { readonly id: string }) => db.selectFrom('confirmations').select(columns).where('id', '=', id),
  toConfirmation,
)

/** Counts one wrong attempt. At `limit`, the same statement rejects the confirmation. */
const countWrong = async (database: Database, { userId, id, counter: counted, limit, now }: WrongAttempt): Promise<boolean> => {
  const counter = counted === 'wrongSignatures' ? 'wrong_signatures' : 'wrong_match_numbers'
  const [row] = await database.write((db) =>
    updatePending(db, userId, id, now)
      .set((the) => {
        const isLast = the(the(counter, '+', 1), '>=', limit)
        return {
          [counter]: the(counter, '+', 1),
          status: the.case().when(isLast).then(sql.lit<Confirmation['status']>('rejected')).else(the.ref('status')).end(),
          updated_at: the.case().when(isLast).then(the.val(now)).else(the.ref('updated_at')).end(),
        }
      })
      .returning('status'),
  )
  return row?.status === 'rejected'
}

export const confirmationsStore = (database: Database): ConfirmationStore => ({
  ...finishedConfirmations(database),

  initiate: async (confirmation, pendingLimit, countedTenant = null) => {
    const { userId, requestedBy: sessionId } = confirmation
    const written = await database.batch([
      lockUserRow.statement({ id: userId }),
      ...(sessionId === null ? [] : [lockLiveSession.statement({ sessionId, userId })]),
      insertBelowLimit.statement({ ...fromConfirmation(confirmation), limit: pendingLimit, countedTenant }),
    ])
    return (written.at(-1) ?? 0) > 0
  },

  byId: (id) => byId.first(database, { id }),

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
        ),
    )
    return rows.map(({ id, session_id: sessionId, tenant, bound_to: boundTo, expires_at: expiresAt, kind }): LiveApproval => {
      return { kind, id, userId, sessionId, tenant, boundTo: toBound(boundTo), status: 'pending', expiresAt }
    })
  },

  approve: (approval) => approve(database, approval),

  page: (query) => readConfirmationPage(database, query),

  allOfUser: (userId) =>
    readAll(database, toConfirmation, (db) =>
      db.selectFrom('confirmations').select(columns).where('user_id', '=', userId).orderBy('created_at').orderBy('id'),
    ),

  countWrong: (attempt) => countWrong(database, attempt),
})
