import { boundText, type Confirmation, type ConfirmationPageQuery } from '@countersign/core/storage'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { reachesConfirmation } from '../../identity/bound.ts'
import type { Database } from '../../shared/database.ts'
import { given, onPage } from '../../shared/list-page.ts'
import type { Tables } from '../../tables/index.ts'
import { confirmationColumns as columns, toConfirmation } from './confirmation-row.ts'
import { literal } from './pending-confirmations.ts'

/** Approved confirmations and all others have separate indexes. */
type Group = '=' | '!='

/** Returns the condition that a status adds to its group. */
const hasStatus = ({ status, now }: ConfirmationPageQuery) => {
  const expiry = { pending: '>', expired: '<=' } as const
  return (the: ExpressionBuilder<Tables, 'confirmations'>) => {
    if (status === undefined || status === 'approved') return the.and([])
    if (status === 'rejected') return the('status', '=', literal(status))
    const byTheClock = the.and([the('status', '=', literal('pending')), the('expires_at', expiry[status], now)])
    return status === 'pending' ? byTheClock : the.or([byTheClock, the('status', '=', literal('expired'))])
  }
}

const pageOfGroup = (db: Kysely<Tables>, query: ConfirmationPageQuery, group: Group | undefined) => {
  const { actionType, tenant, requestedBy, reachedBy = null } = query
  return onPage(
    db
      .selectFrom('confirmations')
      .select(columns)
      .$if(group !== undefined, (all) => all.where('status', group ?? '=', literal('approved')))
      .where(hasStatus(query))
      .where((the) => the.and(given({ action_type: actionType, tenant, requested_by: requestedBy })))
      .$if(reachedBy !== null, (all) => all.where(reachesConfirmation(boundText(reachedBy)))),
    query,
  )
}

/** One statement reads both groups, so that a confirmation that is approved meanwhile is neither missed nor listed twice. */
const pageOfAll = (db: Kysely<Tables>, query: ConfirmationPageQuery) => {
  const group = (is: Group) => db.selectFrom(pageOfGroup(db, query, is).as(is === '=' ? 'approved' : 'others')).select(columns)
  return db
    .selectFrom(group('=').unionAll(group('!=')).as('listed'))
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.limit)
}

export const readConfirmationPage = async (
  database: Database,
  query: ConfirmationPageQuery,
): Promise<readonly Confirmation[]> => {
  const { status, userId, tenant } = query
  const rows = await database.read((db) => {
    if (status !== undefined) return pageOfGroup(db, query, status === 'approved' ? '=' : '!=').execute()
    return (userId === undefined && tenant === undefined ? pageOfAll(db, query) : pageOfGroup(db, query, undefined)).execute()
  })
  return rows.map(toConfirmation)
}
