import { type ApprovalRequest, type ApprovalRequestStore, boundText } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { coversTenant } from '../identity/bound.ts'
import { given, onPage } from '../shared/list-page.ts'
import type { Tables } from '../tables/index.ts'
import { literal } from './confirmations/pending-confirmations.ts'

type RequestPageQuery = Parameters<ApprovalRequestStore['page']>[0]

/** The stored statuses of a request that may have a status at a moment. */
const storedAs: Readonly<Record<NonNullable<RequestPageQuery['status']>, readonly ApprovalRequest['status'][]>> = {
  pending: ['pending'],
  approved: ['pending'],
  // The policy of the moment may have ended an open request.
  expired: ['pending', 'expired'],
  rejected: ['rejected'],
  redeemed: ['redeemed'],
}

export const requestsOnPage = (db: Kysely<Tables>, query: RequestPageQuery) => {
  const { requestedBy, requestedIn, tenants, actionType, status, now } = query
  return onPage(
    db
      .selectFrom('approval_requests')
      .where('requested_by', '=', requestedBy)
      .$if(status !== undefined, (all) =>
        all.where(
          'status',
          'in',
          storedAs[status ?? 'pending'].map((one) => literal(one)),
        ),
      )
      .$if(status === 'pending' || status === 'approved', (all) => all.where('expires_at', '>', now))
      .where((the) => the.and(given({ requested_in: requestedIn, action_type: actionType })))
      .$if(tenants !== null, (all) => all.where((the) => coversTenant(boundText(tenants), the.ref('tenant')))),
    { ...query, userId: undefined },
  )
}
