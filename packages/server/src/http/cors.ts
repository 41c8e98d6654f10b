import { isWebOrigin, webOriginsMessage } from './web-origin.ts'

type RequestHeaders = Pick<Headers, 'get'>

/** What browsers are told about calls from pages of other origins (Fetch Standard, CORS protocol). */
export interface Cors {
  /** The headers of an answer to a request with these headers. */
  answerHeaders(request: RequestHeaders): Readonly<Record<string, string>>
  /** The headers of the answer to a preflight from an allowed origin; `undefined` for any other request. */
  preflightHeaders(request: RequestHeaders): Readonly<Record<string, string>> | undefined
}

/** What the client SDK reads beside the body. */
const EXPOSED = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Two hours, the longest that Chromium keeps an answer. */
const MAX_AGE = '7200'

/** Header names and commas, as a browser lists them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * Makes the CORS rule of an app. Origins are compared exactly, so `null`, other ports and look-alike hosts get nothing.
 * Credentials of the browser (cookies) are never allowed: a caller presents a token.
 *
 * @param origins The origins whose pages may call. With none, no CORS header is ever sent.
 * @throws RangeError for what is not a web origin
 */
export const createCors = (origins: readonly string[]): Cors | undefined => {
  if (!origins.every(isWebOrigin)) throw new RangeError(`corsOrigins ${webOriginsMessage}`)
  if (origins.length === 0) return undefined
  const byOrigin = new Map(
    origins.map((origin) => [
      origin,
      { Vary: 'Origin', 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED } as const,
    ]),
  )
  const unknownOrigin = { Vary: 'Origin' } as const
  const allowed = (request: RequestHeaders) => byOrigin.get(request.get('origin') ?? '')
  return {
    answerHeaders: (request) => allowed(request) ?? unknownOrigin,
    preflightHeaders: (request) => {
      const forOrigin = allowed(request)
      if (forOrigin === undefined || request.get('access-control-request-method') === null) return undefined
      const asked = request.get('access-control-request-headers') ?? ''
      return {
        'Access-Control-Allow-Origin': forOrigin['Access-Control-Allow-Origin'],
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Max-Age': MAX_AGE,
        // No header of a request says anything by being there, so an allowed page may send any.
        ...(HEADER_NAMES.test(asked) ? { 'Access-Control-Allow-Headers': asked } : {}),
        Vary: 'Origin, Access-Control-Request-Headers',
      }
    },
  }
}
