import { pathBelow } from './base-path.ts'
import type { AppContext } from './app-context.ts'
import { describeError } from './describe-error.ts'
import { type ErrorForm, errorFormOfPath, toRefusal } from './errors.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpResponse, ResponseContent } from './http-response.ts'
import { decodeMembers, pathOfTarget } from './paths.ts'
import { dropLaterReset } from './rate-limit.ts'
import { WireRefusal } from './refusals.ts'
import { requestIdOf } from './request-id.ts'
import { logRequest } from './request-log.ts'
import type { Router } from './router.ts'

/** The way of every request through an app, whichever adapter brings it. */
export interface Pipeline {
  /**
   * Takes a request to its response. Finds the route, gives the request an id, runs the route, turns a thrown error into an
   * error body, and logs one line. The steps of an operation follow in `operation-route.ts`.
   */
  readonly handleRequest: (request: HttpRequest) => Promise<HttpResponse>
  /** Returns whether a target or URL has a path of the app. The method does not matter. */
  readonly handles: (target: string) => boolean
  /** Returns whether a request has a path of the app, or is a preflight, which is answered for every path. */
  readonly takes: (request: HttpRequest) => boolean
  /** Returns the response to a request that an adapter cannot bring to the pipeline, such as one without a readable URL. */
  readonly refuse: (error: unknown, path: string) => HttpResponse
}

/** The route of a request, as the log and the error body name it. */
interface Place {
  readonly path: string
  readonly errorForm: ErrorForm
  readonly isRoutine: boolean
}

const preflightPlace: Place = { path: 'preflight', errorForm: 'authentication', isRoutine: true }

/** @param basePath The path below which the app answers; empty for the root. */
export const createPipeline = (context: AppContext, router: Router, basePath = ''): Pipeline => {
  const { logger, logRequests, cors } = context

  const preflightOf = ({ method, headers }: HttpRequest) =>
    method === 'OPTIONS' ? cors?.preflightHeaders(headers) : undefined

  const errorFormOf = (path: string): ErrorForm => errorFormOfPath(pathBelow(basePath, path))

  const routePathOf = ({ path, isCanonical }: HttpRequest): string => (isCanonical ? pathBelow(basePath, path) : '')

  const isKnown = (path: string): boolean => router.methodsOf(path).length > 0

  const refuseUnknown = (path: string): never => {
    const methods = router.methodsOf(path)
    if (methods.length === 0) throw new WireRefusal('route_not_found')
    throw new WireRefusal('method_not_allowed', { Allow: methods.join(', ') })
  }

  const handleRequest: Pipeline['handleRequest'] = async (request) => {
    const startedAt = performance.now()
    const { method } = request
    const requestId = requestIdOf(request.headers)
    const headers: Record<string, string> = { 'X-Request-Id': requestId, ...cors?.answerHeaders(request.headers) }

    const path = routePathOf(request)
    const preflight = preflightOf(request)
    const match = preflight === undefined ? router.match(method, path) : undefined

    const respond = (): ResponseContent | Promise<ResponseContent> => {
      if (preflight !== undefined) {
        Object.assign(headers, preflight)
        return { status: 204, body: null }
      }
      if (match === undefined) return refuseUnknown(path)
      return match.route.handle(request, decodeMembers(match.members), headers)
    }

    const unknownPlace = (): Place => ({ path: 'unknown', errorForm: errorFormOf(request.path), isRoutine: false })
    const { path: route, errorForm, isRoutine }: Place =
      match?.route ?? (preflight === undefined ? unknownPlace() : preflightPlace)

    const refuse = (error: unknown): ResponseContent => {
      const refusal = toRefusal(error, errorForm)
      Object.assign(headers, refusal.headers)
      dropLaterReset(headers)
      if (refusal.status === 500) logger.error('request_failed', { requestId, route, ...describeError(error) })
      else if (refusal.status === 503) logger.warn('request_unavailable', { requestId, route, ...describeError(error) })
      return { status: refusal.status, body: JSON.stringify(refusal.body) }
    }

    let content: ResponseContent
    try {
      content = await respond()
    } catch (error) {
      content = refuse(error)
    }
    const { status, body } = content
    if (logRequests) logRequest(logger, { requestId, method, route, status, startedAt, isRoutine })
    return { status, body, headers }
  }

  return {
    handleRequest,
    handles: (target) => isKnown(pathBelow(basePath, pathOfTarget(target) ?? '')),
    takes: (request) => preflightOf(request) !== undefined || isKnown(routePathOf(request)),
    refuse: (error, path) => {
      const { status, headers, body } = toRefusal(error, errorFormOf(path))
      return { status, headers, body: JSON.stringify(body) }
    },
  }
}
