import type { LiveEvent } from '@countersign/contract'
import type { LiveApproval, LiveChange } from '../records/live-change.ts'

/** An event, with the session that asked for what it names. Every session of the user may see an event without a session. */
export interface Addressed {
  readonly event: LiveEvent
  readonly askedBy?: string | null
}

/** Returns the event of a committed change. `expired` is stored for a withdrawal only. */
export const eventOf = (change: LiveChange): Addressed => {
  if (change.kind === 'account') return { event: { type: 'account' } }
  const { kind: type, id, sessionId: askedBy, status } = change
  return { event: { type, id, status: status === 'expired' ? 'withdrawn' : status }, askedBy }
}

/** Returns the event of an expiry. No row is written when a request expires. */
export const expiryOf = ({ kind: type, id, sessionId: askedBy }: LiveApproval): Addressed => ({
  event: { type, id, status: 'expired' },
  askedBy,
})

/**
 * Returns the events that a session may see, each once. A session that may read the pending confirmations sees every event of its
 * user. Any other session sees only the requests that it made itself, so that a stolen session learns of nothing that it could
 * reject.
 */
export const visibleEvents = (all: readonly Addressed[], sessionId: string, mayReadPending: boolean): readonly LiveEvent[] => {
  const visible = all.filter(({ askedBy }) => mayReadPending || askedBy === undefined || askedBy === sessionId)
  return [...new Map(visible.map(({ event }) => [JSON.stringify(event), event])).values()]
}
