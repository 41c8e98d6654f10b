import type { LiveEvent } from '@countersign/contract'
import type { Caller } from '../../identity/authentication/caller.ts'
import { reachesConfirmation } from '../records/confirmation.ts'
import type { LiveApproval, LiveChange } from '../records/live-change.ts'

/** An event. Without a session that asked, it is for all of the user; without a place, for all that are not bound to tenants. */
export interface Addressed {
  readonly event: LiveEvent
  readonly askedBy?: string | null
  readonly place?: Pick<LiveApproval, 'tenant' | 'boundTo'> | 'everywhere'
}

/** Returns the event of a committed change. `expired` is stored for a withdrawal only. */
export const eventOf = (change: LiveChange): Addressed => {
  if (change.kind === 'account') return { event: { type: 'account' } }
  const { kind: type, id, sessionId: askedBy, status } = change
  return { event: { type, id, status: status === 'expired' ? 'withdrawn' : status }, askedBy, place: change }
}

/** Returns the event of an expiry. No row is written when a request expires. */
export const expiryOf = (approval: LiveApproval): Addressed => {
  const { kind: type, id, sessionId: askedBy } = approval
  return { event: { type, id, status: 'expired' }, askedBy, place: approval }
}

/**
 * Returns the events that a session may see, each once. A session that may read the pending confirmations sees every event of its
 * user. Any other session sees only the requests that it made itself, so that a stolen session learns of nothing that it could
 * reject. A session that is bound to tenants sees only what it reaches, and nothing of the account.
 */
export const visibleEvents = (
  all: readonly Addressed[],
  { sessionId, tenants = null }: Pick<Caller, 'sessionId' | 'tenants'>,
  mayReadPending: boolean,
): readonly LiveEvent[] => {
  const isReached = ({ place }: Addressed): boolean =>
    tenants === null || place === 'everywhere' || (place !== undefined && reachesConfirmation(tenants, place))
  const visible = all.filter(
    (one) => isReached(one) && (mayReadPending || one.askedBy === undefined || one.askedBy === sessionId),
  )
  return [...new Map(visible.map(({ event }) => [JSON.stringify(event), event])).values()]
}
