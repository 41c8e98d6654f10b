import { identityOperations } from '@countersign/contract/operations'
import { currentFetch, type Init, send, toBaseUrl } from '../http/send.ts'
import { toRequest } from '../http/to-request.ts'
import { claimsOf } from '../session/claims.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { within } from '../shared/time/deadline.ts'
import type { Milliseconds, Seconds } from '../shared/time/units.ts'
import { type Admit, type Introspection, meets, readClaims } from './claims.ts'
import { type Guards, guardsOf } from './guards.ts'
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
   * The time for which a valid result is reused: 60 at most; 0 by default. A session that ends meanwhile is still accepted for that
   * long. A token is never accepted after its own end (`exp`).
   */
  readonly staleness?: Seconds
  /** The time limit of a request; 2000 by default. */
  readonly timeout?: Milliseconds
  /** Sends a request; the platform's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

/** Countersign did not say whether a token is valid: it was unreachable, slow, or another server answered. Refuse every request. */
export class VerifierUnavailable extends Error {
  override readonly name = 'VerifierUnavailable'
}

/** Checks tokens for another service, by asking Countersign. */
export interface Verifier extends Guards {
  /**
   * Returns the claims of a token that is valid now; `undefined` for an invalid one. `permissions` are those that hold in `tenant`,
   * or everywhere. @throws VerifierUnavailable if Countersign did not say, RangeError for a malformed tenant
   */
  introspect(token: string, options?: { readonly tenant?: string | undefined }): Promise<Introspection | undefined>
}

const LONGEST_TOKEN = 8192
/** RFC 6750 §2.1. */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i

const TENANT = /^[A-Za-z0-9._:-]{1,64}$/

/** The longest time for which a service may reuse a result. */
const LONGEST_STALENESS: Seconds = 60

/** Returns the end of the token in a cache key, in milliseconds since 1970; `undefined` for a text without an end. */
const endOf = (question: string): number | undefined => {
  const [token = ''] = question.split(' ')
  // The payload of a foreign text may be any JSON, such as `null`.
  const { exp } = Object(claimsOf(token)) as { readonly exp?: unknown }
  return typeof exp === 'number' ? exp * 1000 : undefined
}

/** Creates a verifier for the routes of another service. @throws CountersignError `VALIDATION_ERROR` for a wrong `baseUrl` */
export const createVerifier = (options: VerifierOptions): Verifier => {
  const { serviceName, staleness = 0, timeout = 2000, fetch = currentFetch } = options
  const sender = {
    baseUrl: toBaseUrl(options.baseUrl),
    // A cached response does not count.
    fetch: (url: string, init: Init) => fetch(url, { ...init, cache: 'no-store' }),
    retries: 0,
    longestWait: 0,
  }
  if (!(staleness >= 0 && staleness <= LONGEST_STALENESS)) {
    throw new RangeError(`staleness must be seconds, 0 to ${LONGEST_STALENESS}`)
  }

  /** The key of a cached answer: the token, and after a space the tenant. Neither contains a space. */
  const ask = async (question: string): Promise<Introspection | undefined> => {
    const [token, tenant] = question.split(' ')
    try {
      const layout = toRequest(identityOperations['internal.verify'], { serviceName, tenant })
      const answer = await within(timeout, undefined, (stop) => send(sender, 'internal.verify', layout, token, stop))
      const claims = readClaims(answer)
      if (claims !== undefined) return claims
    } catch (error) {
      if (error instanceof CountersignError && error.status === 401) return undefined
      // The cause may contain addresses, and the request contains the token, so the error has neither.
    }
    throw new VerifierUnavailable('Countersign did not say whether the token is good')
  }

  const askOrRecall = staleness === 0 ? ask : recentAnswers(ask, { age: staleness * 1000, endOf })

  const introspect: Verifier['introspect'] = async (token, { tenant } = {}) => {
    if (tenant !== undefined && !TENANT.test(tenant)) throw new RangeError('tenant must be 1 to 64 of A-Z, a-z, 0-9 and . _ : -')
    if (token.length > LONGEST_TOKEN || !BEARER.test(`Bearer ${token}`)) return undefined
    return askOrRecall(tenant === undefined ? token : `${token} ${tenant}`)
  }

  const admit: Admit = async (authorization, { tenant: demanded, ...demands }, request) => {
    const token = BEARER.exec(authorization ?? '')?.[1]
    if (token === undefined) return { refusal: unauthenticated }
    try {
      const tenant = typeof demanded === 'function' ? demanded(request) : demanded
      // If the tenant is missing in the request, the token must not be checked without a tenant.
      if (demanded !== undefined && (typeof tenant !== 'string' || !TENANT.test(tenant))) return { refusal: forbidden }
      const claims = await introspect(token, { tenant })
      if (claims === undefined) return { refusal: unauthenticated }
      return meets(claims, demands) ? { claims } : { refusal: forbidden }
    } catch {
      return { refusal: unavailable }
    }
  }

  return { introspect, ...guardsOf(admit) }
}
