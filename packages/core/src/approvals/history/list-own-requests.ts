import type { ApprovalStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { Page } from '../../shared/list-page.ts'
import { pick } from '../../shared/pick.ts'
import type { ConfirmationView } from '../confirmations/read-confirmation.ts'
import type { ApprovalDeps, ByCaller } from '../deps.ts'
import {
  type ApprovalRequest,
  type RequestPageQuery,
  requestDisplay,
  requestPayload,
  requestStatus,
} from '../records/approval-request.ts'
import { type RequestView, requestViewOf } from '../requests/request-view.ts'
import { type HistoryReader, reachOf, readHistory, withoutErased } from './read-history.ts'

const shown = ['id', 'actionType', 'tenant', 'count', 'createdAt', 'expiresAt', 'withdrawnAt', 'status'] as const

/** A request with its status at this moment. */
type AtMoment = Omit<ApprovalRequest, 'status'> & { readonly status: ApprovalStatus }

/** An approval request in the history of its requester. */
export interface OwnRequest
  extends Pick<AtMoment, (typeof shown)[number]>,
    Pick<ConfirmationView, 'actionPayloadText'>,
    Pick<RequestView, 'display'> {}

/** Only for an open request the votes and the policy of the moment matter. A session has few of these. */
const atMoment = async (deps: ApprovalDeps, request: ApprovalRequest, now: Instant): Promise<AtMoment> => {
  const stored = requestStatus(request, false, now)
  return { ...request, status: stored === 'pending' ? (await requestViewOf(deps, request)).status : stored }
}

/** Reads on until the page has its entries, because the store may return requests that turn out to have another status. */
const readRequests = async (deps: ApprovalDeps, query: RequestPageQuery): Promise<readonly AtMoment[]> => {
  const found: AtMoment[] = []
  for (let { after } = query; ; ) {
    const page = await deps.storage.approvalRequests.page({ ...query, after })
    const read = await Promise.all(withoutErased(page).map((request) => atMoment(deps, request, query.now)))
    found.push(...read.filter(({ status }) => query.status === undefined || status === query.status))
    after = page.at(-1)
    if (page.length < query.limit || found.length >= query.limit) return found
  }
}

/**
 * Returns a page of the approval requests that the caller started, newest first; each session reads as much as in
 * `confirmations.listOwn`. Voters, and who rejected and why, are left out: `approvalRequests.read` has them.
 * @throws Invalid for a cursor that no page returned, InvalidAccessToken, InsufficientTrustLevel for a signer on probation
 * @example const { items, next } = await countersign.approvalRequests.listOwn({ caller, status: 'pending' })
 */
export async function listOwnRequests(
  deps: ApprovalDeps,
  { caller, status, actionType, ...page }: ByCaller<'approvals.list', HistoryReader>,
): Promise<Page<OwnRequest>> {
  const now = deps.clock.now()
  const { tenants, session: requestedIn } = await reachOf(deps, caller)
  const question = { requestedBy: caller.userId, requestedIn, tenants, status, actionType, now }
  const { items, next } = await readHistory(page, (query) => readRequests(deps, { ...query, ...question }))
  return {
    items: items.map((request) => ({
      ...pick(request, shown),
      actionPayloadText: requestPayload.open(deps, request.id, request.payload).text,
      display: requestDisplay.open(deps, request.id, request.display),
    })),
    next,
  }
}
