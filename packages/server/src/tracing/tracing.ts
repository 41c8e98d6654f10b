import type { StorageObserver } from '@countersign/core'
import type { HttpRequest, RequestHeaders } from '../http/http-request.ts'
import type { HttpResponse } from '../http/http-response.ts'
import type { RequestFacts } from '../http/request-log.ts'
import type { Route } from '../http/router.ts'

/** A request whose route is known. */
export interface TracedRequest {
  readonly method: HttpRequest['method']
  readonly headers: RequestHeaders
  readonly route: Pick<Route, 'path' | 'name'>
  readonly requestId: string
  /** The trace adds its ids. The steps of the request add who called. */
  readonly facts: RequestFacts
}

/** Makes spans of requests and statements. `createTracing` of `@countersign/server/tracing` makes one. */
export interface Tracing extends StorageObserver {
  /** Answers a request within a span. */
  readonly request: (request: TracedRequest, answer: () => Promise<HttpResponse>) => Promise<HttpResponse>
}
