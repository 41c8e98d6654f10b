import type { Page } from '../../shared/list-page.ts'
import { pick } from '../../shared/pick.ts'
import { type ConfirmationView, viewsOf } from '../confirmations/read-confirmation.ts'
import type { ApprovalDeps, ByCaller } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { type HistoryReader, reachOf, readHistory, withoutErased } from './read-history.ts'

/** The members of a view that a history has: nothing of the client that asked, because it may be the client of another person. */
const shown = [
  ...(['id', 'status', 'actionType', 'actionTypeVersion', 'actionPayloadText', 'display', 'reason'] as const),
  ...(['createdAt', 'expiresAt', 'updatedAt', 'withdrawnAt'] as const),
] as const

/** A confirmation in the history of its user. */
export interface OwnConfirmation
  extends Pick<ConfirmationView, (typeof shown)[number]>,
    Pick<Confirmation, 'approvalId' | 'tenant'> {}

/**
 * Returns a page of what the caller was asked to confirm, newest first: all for a trusted device or passkey, in its tenants; else
 * what the session itself asked for. Erased and archived confirmations are absent.
 * @throws Invalid for a cursor that no page returned, InvalidAccessToken, InsufficientTrustLevel for a signer on probation
 * @example const { items, next } = await countersign.confirmations.listOwn({ caller, status: 'approved', limit: 20 })
 */
export async function listOwnConfirmations(
  deps: ApprovalDeps,
  { caller, status, actionType, ...page }: ByCaller<'confirmations.list', HistoryReader>,
): Promise<Page<OwnConfirmation>> {
  const now = deps.clock.now()
  const { tenants: reachedBy, session: requestedBy } = await reachOf(deps, caller)
  const { items, next } = await readHistory(page, (query) =>
    deps.storage.confirmations.page({ ...query, userId: caller.userId, status, actionType, reachedBy, requestedBy, now }),
  )
  const kept = withoutErased(items)
  const views = await viewsOf(deps, kept, now)
  return {
    items: views.map((view, at) => ({ ...pick(view, shown), ...pick(kept[at] as Confirmation, ['approvalId', 'tenant']) })),
    next,
  }
}
