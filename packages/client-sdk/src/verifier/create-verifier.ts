import { currentFetch, toBaseUrl } from '../http/base-url.ts'
import { claimsOf } from '../session/claims.ts'
import { type Admit, type Demands, meets, readClaims, type VerifiedClaims } from './claims.ts'
import { type ExpressGuard, type ExpressRequest, expressGuard } from './express.ts'
import { type FastifyGuard, type FastifyRequest, fastifyGuard } from './fastify.ts'
import { type HonoContext, type HonoGuard, honoGuard } from './hono.ts'
import { recentAnswers } from './recent-answers.ts'
import { forbidden, unauthenticated, unavailable } from './refusal.ts'

/** The options of `createVerifier`. Only `baseUrl` and `serviceName` are required. */
export interface VerifierOptions {
  /** The URL of Countersign, with or without a path: `http://auth.internal:4000`. Without user, query and fragment. */
  readonly baseUrl: string
  /**
   * The name of the calling service: 1 to 64 of A-Z, a-z, 0-9, dot, underscore, slash, hyphen, and spaces in between. Service
   * tokens of another name are refused. Case does not matter.
   */
  readonly serviceName: string
  /**
   * The number of seconds for which a valid result is reused: 60 at most; 0 (the default) asks each time. A session that ends
   * meanwhile is still admitted for that long. A token is never admitted after its own end (`exp`).
   */
  readonly staleness?: number
  /** The time limit of a request in milliseconds; 2000 by default. */
  readonly timeout?: number
  /** Sends a request; the platform's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

/** Countersign did not say whether a token is valid: it was unreachable, slow, or another server answered. Admit nobody. */
export class VerifierUnavailable extends Error {
  override readonly name = 'VerifierUnavailable'
}

/** Checks tokens for another service, by asking Countersign. */
export interface Verifier {
  /**
   * Returns the claims of a token that is valid now; `undefined` for an invalid token. With `scope`, the `permissions` are those
   * that hold in this scope, otherwise those that hold everywhere.
   *
   * @throws VerifierUnavailable if Countersign did not say, RangeError for a malformed scope
   */
  verify(token: string, options?: { readonly scope?: string | undefined }): Promise<VerifiedClaims | undefined>
  /**
   * Makes middleware for Hono. Handlers read the claims with `c.get('claims')`. The app declares the type:
   * `new Hono<{ Variables: { claims: VerifiedClaims } }>()`.
   */
  hono(demands?: Demands<HonoContext>): HonoGuard
  /** Makes middleware for Express 4 and 5. Handlers read the claims from `res.locals.claims`, as `VerifiedClaims`. */
  express(demands?: Demands<ExpressRequest>): ExpressGuard
  /** Makes a hook for Fastify's `onRequest`. Handlers read the claims from `request.claims`. */
  fastify(demands?: Demands<FastifyRequest>): FastifyGuard
}

const LONGEST_TOKEN = 8192
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

const SCOPE = /^[A-Za-z0-9._:-]{1,64}$/

/** Seconds. The longest time for which a service may reuse a result. */
const LONGEST_STALENESS = 60

/** Returns the end of the token in a question, in milliseconds since 1970; `undefined` for a text without an end. */
const endOf = (question: string): number | undefined => {
  const [token = ''] = question.split(' ')
  // The payload of a foreign text may be any JSON, such as `null`.
  const { exp } = Object(claimsOf(token)) as { readonly exp?: unknown }
  return typeof exp === 'number' ? exp * 1000 : undefined
}

/**
 * Creates a verifier for the routes of another service: a request is admitted only while Countersign calls its token valid.
 *
 * @throws CountersignError `VALIDATION_ERROR` for a wrong `baseUrl`
 */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const { serviceName, staleness = 0, timeout = 2000, fetch = currentFetch } = options
  const baseUrl = toBaseUrl(options.baseUrl)
  if (!(staleness >= 0 && staleness <= LONGEST_STALENESS)) {
    throw new RangeError(`staleness must be seconds, 0 to ${LONGEST_STALENESS}`)
  }

  /** The key of an answer is the question: the token, and after a space the scope. Neither contains a space. */
  const ask = async (question: string): Promise<VerifiedClaims | undefined> => {
    const [token, scope] = question.split(' ')
    try {
      const response = await fetch(
        `${baseUrl}/internal/verify${scope === undefined ? '' : `?scope=${encodeURIComponent(scope)}`}`,
        {
          headers: {
            authorization: `Bearer ${token}`,
            'x-service-name': serviceName,
            accept: 'application/json',
            'countersign-extended': '1',
          },
          // A redirect is not followed, because its status is neither of the statuses below. Cloudflare Workers do not support
          // the mode `error`. A cached response does not count.
          redirect: 'manual',
          cache: 'no-store',
          signal: AbortSignal.timeout(timeout),
        },
      )
      if (response.status === 401) return undefined
      const claims = response.status === 200 ? readClaims(await response.json()) : undefined
      if (claims !== undefined) return claims
    } catch {
      // The cause may contain addresses, and the request contains the token, so the error has neither.
    }
    throw new VerifierUnavailable('Countersign did not say whether the token is good')
  }

  const askOrRecall = staleness === 0 ? ask : recentAnswers(ask, { age: staleness * 1000, endOf })

  const verify: Verifier['verify'] = async (token, { scope } = {}) => {
    if (scope !== undefined && !SCOPE.test(scope)) throw new RangeError('scope must be 1 to 64 of A-Z, a-z, 0-9 and . _ : -')
    if (token.length > LONGEST_TOKEN || !BEARER.test(`Bearer ${token}`)) return undefined
    return askOrRecall(scope === undefined ? token : `${token} ${scope}`)
  }

  const admit: Admit = async (authorization, { scope: demanded, ...demands }, request) => {
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) return { refusal: unauthenticated }
    try {
      const scope = typeof demanded === 'function' ? demanded(request) : demanded
      // A scope that the request does not have must not become a question without a scope.
      if (demanded !== undefined && (typeof scope !== 'string' || !SCOPE.test(scope))) return { refusal: forbidden }
      const claims = await verify(token, { scope })
      if (claims === undefined) return { refusal: unauthenticated }
      return meets(claims, demands) ? { claims } : { refusal: forbidden }
    } catch {
      return { refusal: unavailable }
    }
  }

  return {
    verify,
    hono: (demands = {}) => honoGuard(admit, demands),
    express: (demands = {}) => expressGuard(admit, demands),
    fastify: (demands = {}) => fastifyGuard(admit, demands),
  }
}
