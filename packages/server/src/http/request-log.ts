import type { Logger } from '@countersign/core'

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What is told of a request. The route's template stands for its address: raw addresses can hold anything. */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  readonly route: string
  readonly status: number
  /** Of `performance.now()`. */
  readonly startedAt: number
  readonly isRoutine: boolean
}

/**
 * Logs one request, once its answer is known, as one line: at `debug` where it is routine and went well, else at `info`.
 * Other services ask `/internal/verify` at each of their own requests, which they log; a line for each would cost a third
 * of the route and drown the others.
 */
export const logRequest = (logger: Logger, { requestId, method, route, status, startedAt, isRoutine }: RequestRecord): void =>
  logger[isRoutine && status < 300 ? 'debug' : 'info']('request', {
    requestId,
    method: METHODS.has(method) ? method : 'other',
    route,
    status,
    durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
  })
