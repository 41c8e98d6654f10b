import type { Logger } from '@countersign/core'
import type { RequestFacts } from './request-facts.ts'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Returns a method that HTTP defines; `other` for any other text. */
export const knownMethod = (method: string): string => (METHODS.has(method) ? method : 'other')

/** The fields of a log line. The line has the template of the route, because a raw path can contain anything. */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly milliseconds: number
  /** The code of a refusal. */
  readonly code: string | undefined
  readonly isRoutine: boolean
  readonly facts: RequestFacts
}

/**
 * Logs a request as one line when its response is known. A successful request on a routine route is logged at `debug`, any other
 * at `info`. Services call `/internal/verify` for each of their own requests, so a line for each call would be expensive and hide
 * other lines.
 */
export const logRequest = (
  logger: Logger,
  { requestId, method, route, status, milliseconds, code, isRoutine, facts }: RequestRecord,
): void =>
  logger[isRoutine && status < 300 ? 'debug' : 'info']('request', {
    requestId,
    method: knownMethod(method),
    route,
    status,
    durationMs: Math.round(milliseconds * 10) / 10,
    ...(code !== undefined && { code }),
    ...facts,
  })
