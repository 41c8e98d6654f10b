import type { Caller } from '../../identity/authentication/caller.ts'
import { type Bound, boundText } from '../../identity/records/bound.ts'
import { hours, type Milliseconds } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'

/**
 * Counts a start for the user, in whichever session, separately for each bound, so that one customer does not use up the starts of
 * another. Without this limit, withdrawn starts would let one user fill the disk. Starts without a session, or without rate limits,
 * are not counted. Approval requests have `Options.approvalStartsPerHour`; confirmations of all sessions together as many as the
 * rate limit allows one session. @throws RateLimited above the limit
 */
export const takeStart = async (
  deps: ApprovalDeps,
  what: 'approval' | 'confirmation',
  { userId, sessionId }: Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionId'>>,
  tenants: Bound,
): Promise<void> => {
  const most = mostOf(deps.options, what)
  if (most === undefined || sessionId === undefined) return
  const { windowMax, windowMs } = most
  const limit = { burst: windowMax, refillMs: Math.ceil(windowMs / windowMax), windowMax, windowMs }
  const key = `${what}-start:user:${userId}${boundText(tenants) ?? ''}`
  const { allowed, retryAfterMs } = await deps.rateLimits.take(key, limit, deps.clock.now())
  if (!allowed) throw new RateLimited(retryAfterMs)
}

/** Returns how many starts the sessions of one user have in a window; `undefined` without rate limits. */
const mostOf = (
  { rateLimits, approvalStartsPerHour }: ApprovalDeps['options'],
  what: 'approval' | 'confirmation',
): { readonly windowMax: number; readonly windowMs: Milliseconds } | undefined => {
  if (rateLimits === 'off') return undefined
  return what === 'approval' ? { windowMax: approvalStartsPerHour, windowMs: hours(1) } : rateLimits.confirmation
}
