import type { Operation } from '@countersign/contract'
import { errors, limitSubject, type RateLimitOutcome } from '@countersign/core'
import type { PipelineCountersign } from './app-context.ts'
import { wholeSeconds } from './http-response.ts'
import type { Authenticated } from './operation-handler.ts'

/**
 * Returns the headers of a limit and its state (draft-ietf-httpapi-ratelimit-headers-10 §3, §4). `burst` is the bucket, with the
 * time in which it fills. `window` is the ceiling, which `RateLimit` names only when it refuses. `t` is the time until one more
 * request (§4.1.2).
 */
export const rateLimitHeaders = (outcome: RateLimitOutcome): Readonly<Record<string, string>> => {
  const { limit, remaining, resetMs, retryAfterMs, refusedBy } = outcome
  const burst = `"burst";q=${limit.burst};w=${wholeSeconds(limit.burst * limit.refillMs)}`
  const window = `"window";q=${limit.windowMax};w=${wholeSeconds(limit.windowMs)}`
  return {
    'RateLimit-Policy': `${burst}, ${window}`,
    RateLimit:
      refusedBy === 'window'
        ? `"window";r=0;t=${wholeSeconds(retryAfterMs)}`
        : `"burst";r=${remaining};t=${wholeSeconds(resetMs)}`,
  }
}

/** Removes `t`, which is optional, if it is later than the `Retry-After` of the refusal: a client reads one time only. */
export const dropLaterReset = (headers: Record<string, string>): void => {
  const { RateLimit: limit, 'Retry-After': retryAfter } = headers
  const reset = /;t=(\d+)$/.exec(limit ?? '')
  if (limit === undefined || retryAfter === undefined || reset === null) return
  if (Number(reset[1]) > Number(retryAfter)) headers.RateLimit = limit.slice(0, reset.index)
}

export interface OperationLimit {
  /** Takes one request, and adds the state of the limit to `headers`. @throws RateLimited */
  readonly take: (subject: string, headers: Record<string, string>) => Promise<TakenRequest | undefined>
  /** Gives a request back that was allowed. */
  readonly giveBack: (taken: TakenRequest) => Promise<void>
}

export type TakenRequest = Parameters<PipelineCountersign['rateLimits']['giveBack']>[0]

/** Returns the limit of an operation; `undefined` for an operation without a limit. */
export const limitOfOperation = (
  { rateLimits }: Pick<PipelineCountersign, 'rateLimits'>,
  { rateLimit: category }: Pick<Operation, 'rateLimit'>,
): OperationLimit | undefined => {
  if (category === 'unlimited' || !rateLimits.has(category)) return undefined
  return {
    take: async (subject, headers) => {
      const outcome = await rateLimits.take({ category, subject })
      if (outcome === undefined) return undefined
      Object.assign(headers, rateLimitHeaders(outcome))
      if (!outcome.allowed) throw new errors.RateLimited(outcome.retryAfterMs)
      return { category, subject, takenAt: outcome.takenAt }
    },
    giveBack: rateLimits.giveBack,
  }
}

/** The sender of a request, as limits count it. */
interface Sender extends Authenticated {
  readonly address: string | undefined
  /** The session of the refresh token, of a request that counts this session. */
  readonly sessionId: string | undefined
}

/**
 * Returns the subject that limits count: the session of the caller or of a refresh token that the service signed, the calling
 * service, or else the address. It is never the user, because a thief could use up the limit of the user's other sessions.
 */
export const limitedSubject = ({ caller, service, address, sessionId }: Sender): string => {
  if (caller !== undefined) return limitSubject('session', caller.sessionId)
  if (service !== undefined) return limitSubject('service', service.name)
  return sessionId === undefined ? limitSubject('address', `${address}`) : limitSubject('session', sessionId)
}
