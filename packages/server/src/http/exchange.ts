import type { Asked } from './asked.ts'
import { describeError } from './describe-error.ts'
import { type ErrorForm, toRefusal } from './errors.ts'
import type { Host } from './host.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { dropLaterReset } from './rate-limit.ts'
import { requestIdOf } from './request-id.ts'
import { logRequest } from './request-log.ts'
import type { Sent } from './respond.ts'

/** Where a request arrived. */
export interface Place {
  /** The path's template, or `unknown`. */
  readonly route: string
  readonly errorForm: ErrorForm
  /** Whether it is asked so often, by machines, that a good answer is of no interest: see `logRequest`. */
  readonly isRoutine: boolean
}

export interface Answer {
  readonly status: number
  /** JSON, unless the answer's headers name another type; `null`: no body. */
  readonly body: string | null
}

/**
 * Takes a request to its answer, whatever happens on the way: a request id, one error body for everything thrown, the
 * headers beside those that every answer has, one line in the log. Work that is done at once is answered at once: a response
 * that is no promise spares Node's server most of what surrounds one.
 *
 * @param work Makes the answer, and may add to its headers; they are sent with a refusal as well.
 */
export const exchange = (
  { logger, logRequests, cors }: Pick<Host, 'logger' | 'logRequests' | 'cors'>,
  request: Asked,
  { route, errorForm, isRoutine }: Place,
  work: (headers: Record<string, string>) => MaybePromise<Answer>,
): MaybePromise<Sent> => {
  const startedAt = performance.now()
  const requestId = requestIdOf(request.headers)
  const headers: Record<string, string> = { 'X-Request-Id': requestId, ...cors?.answerHeaders(request.headers) }

  const refuse = (error: unknown): Answer => {
    const refusal = toRefusal(error, errorForm)
    Object.assign(headers, refusal.headers)
    dropLaterReset(headers)
    if (refusal.status === 500) logger.error('request_failed', { requestId, route, ...describeError(error) })
    else if (refusal.status === 503) logger.warn('request_unavailable', { requestId, route, ...describeError(error) })
    return { status: refusal.status, body: JSON.stringify(refusal.body) }
  }

  const finish = ({ status, body }: Answer): Sent => {
    if (logRequests) logRequest(logger, { requestId, method: request.method, route, status, startedAt, isRoutine })
    return { status, body, headers }
  }

  let answer: MaybePromise<Answer>
  try {
    answer = work(headers)
  } catch (error) {
    answer = refuse(error)
  }
  return answer instanceof Promise ? answer.catch(refuse).then(finish) : finish(answer)
}
