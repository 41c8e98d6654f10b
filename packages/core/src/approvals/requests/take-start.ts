import { type Bound, boundText } from '../../identity/records/bound.ts'
import { hours } from '../../shared/clock.ts'
import { RateLimited } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'

/**
 * Counts a start of an approval request for the user, whichever session starts it; those of sessions that are bound to tenants
 * count for themselves, so that one customer takes none from another one. A withdrawn request stays in the database, so
 * the limit of open requests alone would let one user fill the disk.
 *
 * @throws RateLimited above `Options.approvalStartsPerHour`
 */
export const takeStart = async (
  { rateLimits, clock, options }: Pick<ApprovalDeps, 'rateLimits' | 'clock' | 'options'>,
  userId: number,
  tenants: Bound,
): Promise<void> => {
  if (options.rateLimits === 'off') return
  const count = options.approvalStartsPerHour
  const limit = { burst: count, refillMs: Math.ceil(hours(1) / count), windowMax: count, windowMs: hours(1) }
  const key = `approval-start:user:${userId}${boundText(tenants) ?? ''}`
  const { allowed, retryAfterMs } = await rateLimits.take(key, limit, clock.now())
  if (!allowed) throw new RateLimited(retryAfterMs)
}
