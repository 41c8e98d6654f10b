import { randomUUID } from 'node:crypto'
import { errors, type UnavailableReason } from '@countersign/core'
import { describeError } from '../logging/error-fields.ts'
import type { AppContext } from './app-context.ts'
import { clientAddress } from './client-address.ts'
import type { Cors } from './cors.ts'
import { type ErrorForm, errorFormOfPath, toRefusal } from './error-responses.ts'
import type { HttpRequest } from './http-request.ts'
import type { HttpResponse, ResponseContent } from './http-response.ts'
import { decodeMembers, pathBelow, pathOfTarget } from './paths.ts'
import { dropLaterReset } from './rate-limit.ts'
import { WireRefusal } from './refusals.ts'
import { logRequest, type RequestFacts } from './request-log.ts'
import { noMembers, type Route, type RouteMatch, type Router } from './router.ts'

/** Makes the route of CORS preflights, for every path: an allowed page can read the refusal of a wrong path too. */
const preflightRoute = (cors: Cors): Route => ({
  method: '*',
  path: 'preflight',
  name: 'preflight',
  errorForm: 'authentication',
  isRoutine: true,
  handle: ({ headers }, _members, responseHeaders) => {
    Object.assign(responseHeaders, cors.preflightHeaders(headers))
    return { status: 204, body: null }
  },
})

/** Makes the route of requests that no other route takes: 404 for a path without methods, 405 for any other. */
const unknownRoute = (methods: readonly string[], errorForm: ErrorForm): Route => ({
  method: '*',
  path: 'unknown',
  name: 'unknown',
  errorForm,
  isRoutine: false,
  handle: () => {
    if (methods.length === 0) throw new WireRefusal('route_not_found')
    throw new WireRefusal('method_not_allowed', { Allow: methods.join(', ') })
  },
})

const SANE = /^[A-Za-z0-9._-]{1,128}$/

/** Returns the valid `X-Request-Id` of the caller, so that a request can be traced through several services, or a new id. */
const requestIdOf = (headers: Pick<Headers, 'get'>): string => {
  const given = headers.get('x-request-id')
  return given !== null && SANE.test(given) ? given : randomUUID()
}

/** Takes every request of an app to its response, whichever adapter brings the request. */
export interface Pipeline {
  /** Answers a request and logs one line. A thrown error becomes an error body. */
  readonly handleRequest: (request: HttpRequest) => Promise<HttpResponse>
  /** Returns whether a target or URL has a path of the app. The method does not matter. */
  readonly handles: (target: string) => boolean
  /** Returns whether a request has a path of the app, or is a preflight, which the app answers for every path. */
  readonly takes: (request: HttpRequest) => boolean
  /** Returns the response to a request that an adapter cannot bring to the pipeline, such as a request without a readable URL. */
  readonly refuse: (error: unknown, path: string) => HttpResponse
}

const reasonOf = (error: unknown): UnavailableReason => (error instanceof errors.Unavailable ? error.reason : 'unknown')

/** @param basePath The path below which the app answers; empty for the root. */
export const createPipeline = (context: AppContext, router: Router, basePath = ''): Pipeline => {
  const { logger, logRequests, logAddresses, trustProxy, cors, onRequest, tracing } = context
  const preflights = cors && preflightRoute(cors)

  const errorFormOf = (path: string): ErrorForm => errorFormOfPath(pathBelow(basePath, path))

  /** The path within the app; empty for a path outside of the app. */
  const appPathOf = ({ path, isCanonical }: HttpRequest): string => (isCanonical ? pathBelow(basePath, path) : '')

  const isKnown = (path: string): boolean => router.methodsOf(path).length > 0

  const isPreflight = ({ method, headers }: HttpRequest): boolean =>
    method === 'OPTIONS' && cors?.preflightHeaders(headers) !== undefined

  const matchOf = (request: HttpRequest): RouteMatch => {
    if (preflights !== undefined && isPreflight(request)) return { route: preflights, members: noMembers }
    const path = appPathOf(request)
    return (
      router.match(request.method, path) ?? {
        route: unknownRoute(router.methodsOf(path), errorFormOf(request.path)),
        members: noMembers,
      }
    )
  }

  const answer = async (
    request: HttpRequest,
    { route, members }: RouteMatch,
    requestId: string,
    facts: RequestFacts,
  ): Promise<HttpResponse> => {
    const startedAt = performance.now()
    const { method } = request
    const headers: Record<string, string> = { 'X-Request-Id': requestId, ...cors?.answerHeaders(request.headers) }
    const { path, name, errorForm, isRoutine, handle } = route
    let code: string | undefined
    let reason: UnavailableReason | undefined

    const refuse = (error: unknown): ResponseContent => {
      const refusal = toRefusal(error, errorForm)
      code = refusal.code
      Object.assign(headers, refusal.headers)
      dropLaterReset(headers)
      if (refusal.status === 500) logger.error('request_failed', { requestId, route: path, ...facts, ...describeError(error) })
      else if (refusal.status === 503) {
        reason = reasonOf(error)
        logger.warn('request_unavailable', { requestId, route: path, reason, ...facts, ...describeError(error) })
      }
      return { status: refusal.status, body: JSON.stringify(refusal.body) }
    }

    let content: ResponseContent
    try {
      content = await handle(request, decodeMembers(members), headers, facts)
    } catch (error) {
      content = refuse(error)
    }
    const { status, body, stream } = content
    // A HEAD gets no body.
    if (method === 'HEAD') stream?.leave()
    const milliseconds = performance.now() - startedAt
    if (logRequests) logRequest(logger, { requestId, method, route: path, status, milliseconds, code, isRoutine, facts })
    onRequest?.({ operation: name, status, milliseconds, code, reason })
    return { status, body, headers, ...(stream && method !== 'HEAD' && { stream }) }
  }

  const handleRequest: Pipeline['handleRequest'] = async (request) => {
    const { method, headers } = request
    const requestId = requestIdOf(headers)
    const match = matchOf(request)
    const facts: RequestFacts = logAddresses ? { address: clientAddress(headers, request.peerAddress(), trustProxy) } : {}
    if (tracing === undefined) return answer(request, match, requestId, facts)
    return tracing.request({ method, headers, route: match.route, requestId, facts }, () =>
      answer(request, match, requestId, facts),
    )
  }

  return {
    handleRequest,
    handles: (target) => isKnown(pathBelow(basePath, pathOfTarget(target) ?? '')),
    takes: (request) => isPreflight(request) || isKnown(appPathOf(request)),
    refuse: (error, path) => {
      const { status, headers, body } = toRefusal(error, errorFormOf(path))
      return { status, headers, body: JSON.stringify(body) }
    },
  }
}
