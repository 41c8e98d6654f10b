import type { OptionalRateLimitCategory, RateLimitCategory } from '../vocabulary.ts'

/** The largest JSON body that an operation reads. */
export interface BodyLimit {
  /** Bytes of the body as sent. */
  readonly bytes: number
  /** Members of objects and items of lists, at all depths together. */
  readonly members: number
}

/** One row of the table that routes, client, OpenAPI document and tests are made from. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path template; `{name}` stands for the input member of that name. */
  readonly path: `/${string}`
  /** Whose error body a refusal has. */
  readonly service: 'authentication' | 'projects'
  /**
   * - `none`: public.
   * - `user`: an access token of a user, of any way to log in.
   * - `presented`: the bearer token is itself what is asked about.
   */
  readonly authentication: 'none' | 'user' | 'presented'
  readonly rateLimit: RateLimitCategory | OptionalRateLimitCategory
  /** `data`: the output stands in a member `data`. `bare`: the output is the body. */
  readonly envelope: 'data' | 'bare'
  readonly success: 200 | 201 | 204
  /** The limit of the JSON body. An operation of GET or DELETE has none. */
  readonly body?: BodyLimit
  /**
   * Statuses with which it refuses for reasons of its own. What any operation of its kind refuses (a bad body, a missing
   * token, a limit, a path member that names nothing) is not repeated.
   */
  readonly refusals?: readonly (401 | 403 | 404 | 409 | 410 | 429)[]
  /** Input members that travel in a header: member → header name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly summary: string
}
