import type { Confirmation, ConfirmationStore, FinishedPage, FinishedQuery, Instant } from '@countersign/core/storage'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { countOf, countWritten, type Database, none } from '../../shared/database.ts'
import type { Tables } from '../../tables/index.ts'
import { confirmationColumns, toConfirmation } from './confirmation-row.ts'
import { approved } from './pending-confirmations.ts'

type Confirmations = ExpressionBuilder<Tables, 'confirmations'>

/** The confirmations of an open approval request stay: the request counts its approvals. */
const hasNoOpenRequest = (the: Confirmations, now: Instant) =>
  none(
    the
      .selectFrom('approval_requests')
      .select('approval_requests.id')
      .whereRef('approval_requests.id', '=', 'confirmations.approval_id')
      .where('approval_requests.status', '=', 'pending')
      .where('approval_requests.expires_at', '>', now),
  )

const approvedBefore = (the: Confirmations, before: Instant) =>
  the.and([the('confirmations.status', '=', approved), the('confirmations.created_at', '<', before)])

const refusedBefore = (the: Confirmations, before: Instant, now: Instant) =>
  the.and([
    the('confirmations.status', '!=', approved),
    the('confirmations.created_at', '<', before),
    the.or([the('confirmations.status', '!=', 'pending'), the('confirmations.expires_at', '<=', now)]),
  ])

export const finishedApprovals = (the: Confirmations, before: Instant, now: Instant) =>
  the.and([approvedBefore(the, before), hasNoOpenRequest(the, now)])

export const finishedRefusals = (the: Confirmations, before: Instant, now: Instant) =>
  the.and([refusedBefore(the, before, now), hasNoOpenRequest(the, now)])

/** Each group has an index by its creation. */
const groups = [finishedApprovals, finishedRefusals] as const

const pageOf = (db: Kysely<Tables>, isFinished: (typeof groups)[number], { before, now, tenant, after, limit }: FinishedPage) =>
  db
    .selectFrom('confirmations')
    .select(confirmationColumns)
    .where((the) => isFinished(the, before, now))
    .$if(tenant !== undefined, (query) => query.where('tenant', '=', tenant ?? ''))
    .$if(after !== undefined, (query) =>
      query
        // Follows from the next condition. A database can use its index only for this simple condition.
        .where('created_at', '>=', after?.createdAt ?? 0)
        .where((the) => the.or([the('created_at', '>', after?.createdAt ?? 0), the('id', '>', after?.id ?? '')])),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)

const oldestFirst = (one: Confirmation, other: Confirmation): number =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)

export const finishedConfirmations = (
  database: Database,
): Pick<ConfirmationStore, 'finished' | 'countFinished' | 'deleteFinished'> => ({
  finished: async (page) => {
    const pages = await Promise.all(groups.map((group) => database.read((db) => pageOf(db, group, page))))
    return pages.flat().map(toConfirmation).sort(oldestFirst).slice(0, page.limit)
  },

  countFinished: async ({ before, now, tenant }: FinishedQuery) => {
    const counts = groups.map((isFinished) =>
      countOf(database, (db) =>
        db
          .selectFrom('confirmations')
          .where((the) => isFinished(the, before, now))
          .$if(tenant !== undefined, (query) => query.where('tenant', '=', tenant ?? '')),
      ),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  },

  deleteFinished: async (ids, { before, now }) => {
    if (ids.length === 0) return 0
    return countWritten(database, (db) =>
      db
        .deleteFrom('confirmations')
        .where('id', 'in', ids)
        // Within the alternatives, PostgreSQL would read all requests to look for an open one.
        .where((the) => the.or([approvedBefore(the, before), refusedBefore(the, before, now)]))
        .where((the) => hasNoOpenRequest(the, now)),
    )
  },
})
