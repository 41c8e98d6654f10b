import type { OptionalRateLimitCategory, RateLimitCategory } from '../vocabulary.ts'

/** The largest JSON body that an operation reads. */
export interface BodyLimit {
  /** Bytes of the body as sent. */
  readonly bytes: number
  /** Members of objects and items of lists, at all depths together. */
  readonly members: number
}

/** The header in which a service names itself, in requests with a service token. */
export const SERVICE_NAME_HEADER = 'X-Service-Name'

/** One row of the table of operations. Routes, client, OpenAPI document and tests are made from the table. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path template; `{name}` is replaced by the input member of that name. */
  readonly path: `/${string}`
  /** The service, which determines the form of the error body. */
  readonly service: 'authentication' | 'projects'
  /**
   * - `none`: public.
   * - `user`: an access token of a user, from any login.
   * - `service`: a service token, with the name of the service in the header `X-Service-Name`. No token of a user.
   * - `presented`: the operation checks the bearer token itself.
   */
  readonly authentication: 'none' | 'user' | 'service' | 'presented'
  /** The category whose limit counts. `unlimited`: a user can end and reject, whatever a thief with another session does. */
  readonly rateLimit: RateLimitCategory | OptionalRateLimitCategory | 'unlimited'
  /**
   * The thing for which the limit counts; by default the session of the bearer, or the address of a client without a session.
   *
   * - `session-of-refresh-token`: the session of the refresh token in the body, if the service signed the token. So people behind
   *   one address do not share a limit.
   * - `failures`: a success gives its request back. So the logins of many phones behind one address do not fill the limit.
   */
  readonly counts?: 'session-of-refresh-token' | 'failures'
  /** `data`: the response has the output in a member `data`. `bare`: the response is the output. */
  readonly envelope: 'data' | 'bare'
  readonly success: 200 | 201 | 202 | 204
  /** The media type of the output; `application/json` by default. */
  readonly contentType?: string
  /** The limit of the JSON body. Operations with GET or DELETE have no body. */
  readonly body?: BodyLimit
  /** The error statuses that only this operation has. Common ones are not repeated: a bad body, a missing token, a rate limit. */
  readonly refusals?: readonly (401 | 403 | 404 | 409 | 410 | 429)[]
  /** The input members that headers carry: member → header name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly summary: string
}
