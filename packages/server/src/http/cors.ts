/** The form of a list of web origins, for messages and documents. */
export const webOriginsForm = 'web origins such as https://app.example.com'

/** Returns whether a text is a web origin as browsers send it. A star is refused, because its author means a pattern. */
export const isWebOrigin = (text: string): boolean =>
  /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text

type RequestHeaders = Pick<Headers, 'get'>

/** The rule for calls from pages of other origins (Fetch Standard, CORS protocol). */
export interface Cors {
  /** Returns the CORS headers of a response to a request with these headers. */
  answerHeaders(request: RequestHeaders): Readonly<Record<string, string>>
  /** Returns the headers of the response to a preflight from an allowed origin; `undefined` for any other request. */
  preflightHeaders(request: RequestHeaders): Readonly<Record<string, string>> | undefined
}

/** The response headers that the client SDK reads. */
const EXPOSED = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id'
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** Two hours, the longest time for which Chromium caches a preflight. */
const MAX_AGE = '7200'

/** Header names separated by commas, in the form that browsers send. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

/**
 * Creates the CORS rule of an app; `undefined` without origins. Origins are compared exactly, and cookies are never allowed: a
 * caller sends a token. @throws RangeError for a text that is not a web origin
 */
export const createCors = (origins: readonly string[]): Cors | undefined => {
  if (!origins.every(isWebOrigin)) throw new RangeError(`corsOrigins must be ${webOriginsForm}`)
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
      const requestedHeaders = request.get('access-control-request-headers') ?? ''
      return {
        'Access-Control-Allow-Origin': forOrigin['Access-Control-Allow-Origin'],
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Max-Age': MAX_AGE,
        // Our request headers grant no rights by themselves, so an allowed page may send any header.
        ...(HEADER_NAMES.test(requestedHeaders) ? { 'Access-Control-Allow-Headers': requestedHeaders } : {}),
        Vary: 'Origin, Access-Control-Request-Headers',
      }
    },
  }
}
