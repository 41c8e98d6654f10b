import { claimsOf } from '../session/claims.ts'
import type { Admit } from './admission.ts'
import { type Demands, meets, readClaims, type VerifiedClaims } from './claims.ts'
import { type ExpressGuard, expressGuard } from './express.ts'
import { type FastifyGuard, fastifyGuard } from './fastify.ts'
import { type HonoGuard, honoGuard } from './hono.ts'
import { recentAnswers } from './recent-answers.ts'
import { forbidden, unauthenticated, unavailable } from './refusal.ts'

/** What `createVerifier` is told. Only `baseUrl` and `serviceName` are needed. */
export interface VerifierOptions {
  /** Where Countersign is, without a trailing slash: `http://auth.internal:4000`. */
  readonly baseUrl: string
  /**
   * The name of the service that asks: 1 to 64 of A-Z, a-z, 0-9, dot, underscore, slash, hyphen, and spaces in between. Service
   * tokens of another name are refused; case does not matter.
   */
  readonly serviceName: string
  /**
   * For how many seconds a good answer may be believed again, 60 at most; 0 (the default) asks each time. A session that
   * ends meanwhile is still let in for that long. A token is never believed past its own end (`exp`).
   */
  readonly staleness?: number
  /** Milliseconds to wait for an answer; 2000 by default. */
  readonly timeout?: number
  /** The platform's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

/** Countersign did not say whether a token is good: it was away, slow, or answered something else. Let nobody in. */
export class VerifierUnavailable extends Error {
  override readonly name = 'VerifierUnavailable'
}

/** Checks tokens for another service, by asking Countersign. */
export interface Verifier {
  /**
   * The claims of a token that is good now; `undefined` for one that is not.
   *
   * @throws VerifierUnavailable where nobody could say
   */
  verify(token: string): Promise<VerifiedClaims | undefined>
  /**
   * Middleware for Hono. Handlers find the claims with `c.get('claims')`, whose type the app must be told:
   * `new Hono<{ Variables: { claims: VerifiedClaims } }>()`.
   */
  hono(demands?: Demands): HonoGuard
  /** Middleware for Express 4 and 5. Handlers find the claims in `res.locals.claims`, as `VerifiedClaims`. */
  express(demands?: Demands): ExpressGuard
  /** A hook for Fastify's `onRequest`. Handlers find the claims in `request.claims`. */
  fastify(demands?: Demands): FastifyGuard
}

const LONGEST_TOKEN = 8192
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

/** Seconds. An ended session is let in for no longer, whatever a service asks for. */
const LONGEST_STALENESS = 60

/** The end of a token, in milliseconds since 1970; `undefined` for a text that does not say. */
const endOf = (token: string): number | undefined => {
  // The payload of a text that is no token of ours may be any JSON, such as `null`.
  const { exp } = Object(claimsOf(token)) as { readonly exp?: unknown }
  return typeof exp === 'number' ? exp * 1000 : undefined
}

/** Makes a guard for another service's routes: a request comes in only while Countersign says that its token is good. */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const { baseUrl, serviceName, staleness = 0, timeout = 2000, fetch = globalThis.fetch } = options
  if (!(staleness >= 0 && staleness <= LONGEST_STALENESS)) {
    throw new RangeError(`staleness must be seconds, 0 to ${LONGEST_STALENESS}`)
  }

  const ask = async (token: string): Promise<VerifiedClaims | undefined> => {
    try {
      const response = await fetch(`${baseUrl}/internal/verify`, {
        headers: {
          authorization: `Bearer ${token}`,
          'x-service-name': serviceName,
          accept: 'application/json',
          'countersign-extended': '1',
        },
        // An answer from elsewhere, or from before, is none: a redirect is neither of the statuses below. Workers do not know
        // `error`.
        redirect: 'manual',
        cache: 'no-store',
        signal: AbortSignal.timeout(timeout),
      })
      if (response.status === 401) return undefined
      const claims = response.status === 200 ? readClaims(await response.json()) : undefined
      if (claims !== undefined) return claims
    } catch {
      // What went wrong may name addresses, and the token is in the request: neither goes further.
    }
    throw new VerifierUnavailable('Countersign did not say whether the token is good')
  }

  const askOrRecall = staleness === 0 ? ask : recentAnswers(ask, { age: staleness * 1000, endOf })

  const verify = async (token: string): Promise<VerifiedClaims | undefined> =>
    token.length <= LONGEST_TOKEN && BEARER.test(`Bearer ${token}`) ? askOrRecall(token) : undefined

  const admit: Admit = async (authorization, demands) => {
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) return { refusal: unauthenticated }
    try {
      const claims = await verify(token)
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
