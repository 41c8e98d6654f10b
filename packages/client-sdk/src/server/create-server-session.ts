import type { Output } from '@countersign/contract'
import { operations } from '@countersign/contract/operations'
import type { Client } from '../client.ts'
import { type ClientOptions, createClient } from '../create-client.ts'
import { currentFetch, type Fetch } from '../http/send.ts'
import { endOf } from '../session/receive-tokens.ts'
import type { StoredTokens, TokenStore } from '../session/token-store.ts'
import { CountersignError, isUnauthorized, refusedInput } from '../shared/errors/countersign-error.ts'
import { cookieNames, parseCookies, spareName } from './cookie-parts.ts'
import { headerOf, headersWith, isForeign, isPlainLoopback, type ServerRequest } from './request.ts'
import { openTokens, sealTokens } from './sealed-tokens.ts'
import { sendRenewal } from './share-renewals.ts'

/** The options of a cookie, in the form that Next, SvelteKit, Hono and Express take. */
export interface CookieOptions {
  readonly httpOnly: true
  readonly secure: boolean
  readonly sameSite: 'lax'
  readonly path: '/'
  /** In the past for a cookie that is to be deleted. */
  readonly expires: Date
}

/** Sets a cookie of the answer. Throws if the answer can have no cookie any more. */
export type SetCookie = (name: string, value: string, options: CookieOptions) => unknown

/** The options of `createServerSession`: those of the client, and the cookie. */
export interface ServerSessionOptions extends Omit<ClientOptions, 'store' | 'events'> {
  readonly request: ServerRequest
  /** Leave it out if no cookie can be set, such as in a server component of Next. The session is then not renewed. */
  readonly setCookie?: SetCookie | undefined
  /** At least 32 characters that only this app knows. Two secrets while it is changed: the first seals, and both open. */
  readonly secret: string | readonly [string] | readonly [string, string]
  /** The name of the cookie; `countersign` by default. Each app of one host has a name of its own. */
  readonly cookieName?: string
  /** The origin of the app, such as `https://app.example.com`, if a proxy changes the header `Host`. */
  readonly origin?: string
  /** The address of the browser, for limits and `requestedFrom`. The service must trust this app: `COUNTERSIGN_TRUST_PROXY`. */
  readonly address?: string | undefined
}

/** The session of a browser, for one request. */
export interface ServerSession {
  /** A client with the tokens of the cookie. A login sets the cookie. */
  readonly client: Client
  /**
   * Reads who is signed in; `null` for nobody, and if the session must be renewed where no cookie can be set: see `mustRenew`.
   * @throws CountersignError if the service cannot be asked; `PAYLOAD_TOO_LARGE` if the renewed session fits in no cookie
   */
  user(): Promise<Output<'account.me'> | null>
  /** Whether the session is due to be renewed and no cookie could be set. The person is not signed out. */
  readonly mustRenew: boolean
  /**
   * Renews the session if its end is near. Call it in a middleware, where a cookie can be set. Returns the headers of the request
   * with the new cookie. A session that cannot be renewed now stays as it is.
   */
  renew(): Promise<Headers>
  /** Clears the cookie, and ends the session. @throws CountersignError `LOGOUT_PENDING` if the service cannot be reached */
  signOut(): Promise<void>
}

const SHORTEST_SECRET = 32

/** The code in the answer to a renewal that was not sent. */
const MUST_RENEW = 'must_renew'

const renewalPaths = [operations['auth.refresh'].path, operations['mobile.refresh'].path]

/** Answers a renewal in place of the service. The status says nothing about the session, so its tokens stay. */
const notHere = (): Response => {
  const message = 'The session must be renewed where its cookie can be set'
  return Response.json({ message, statusCode: 503, code: MUST_RENEW }, { status: 503 })
}

const checkedSecrets = (secret: ServerSessionOptions['secret']): readonly [string, ...string[]] => {
  const [first, ...others] = [secret].flat()
  if ([first, ...others].every((one) => typeof one === 'string' && one.length >= SHORTEST_SECRET) && others.length < 2) {
    return [first as string, ...others]
  }
  throw refusedInput('secret', `must be one or two texts of at least ${SHORTEST_SECRET} characters`)
}

/**
 * Creates the session of a browser for one request to an app that renders on its server, with the tokens in a sealed cookie. A
 * request of another origin that changes something has no session and can open none.
 * @throws CountersignError `VALIDATION_ERROR` for an option with a wrong value
 */
export const createServerSession = (given: ServerSessionOptions): ServerSession => {
  const { request, setCookie, secret, cookieName = 'countersign', origin, address, fetch = currentFetch, ...options } = given
  const secrets = checkedSecrets(secret)
  if (!/^[\w-]{1,40}$/.test(cookieName)) throw refusedInput('cookieName', 'must be 1 to 40 of A-Z a-z 0-9 _ -')
  if (origin !== undefined && !URL.canParse(origin)) throw refusedInput('origin', 'must be a URL such as https://app.example.com')

  const isPlain = isPlainLoopback(request, origin)
  const name = isPlain ? cookieName : `__Host-${cookieName}`
  const isTrusted = !isForeign(request, setCookie !== undefined, origin)
  const jar = parseCookies(headerOf(request, 'cookie'))
  let tokens = isTrusted ? openTokens(jar, secrets, name) : Promise.resolve(undefined)
  let failure: unknown
  let mustRenew = false

  const set = async (cookie: string, value: string, expires: Date): Promise<void> => {
    if (!isTrusted) throw new CountersignError('The request comes from another origin', { code: 'FORBIDDEN' })
    if (!setCookie) throw new CountersignError('No cookie can be set here: there is no setCookie', { code: 'UNSUPPORTED' })
    const isDeleted = value === ''
    await setCookie(cookie, value, {
      httpOnly: true,
      secure: !isPlain,
      sameSite: 'lax',
      path: '/',
      expires: isDeleted ? new Date(0) : expires,
    })
    if (isDeleted) jar.delete(cookie)
    else jar.set(cookie, value)
  }
  const setAll = async (cookies: ReadonlyMap<string, string>, next: StoredTokens): Promise<void> => {
    for (const [cookie, value] of cookies) await set(cookie, value, new Date(endOf(next)))
  }
  const store: TokenStore = {
    get: () => tokens,
    set: async (next) => {
      try {
        await setAll(await sealTokens(next, secrets[0], name), next)
      } catch (error) {
        failure = error
        throw error
      }
      failure = undefined
      tokens = Promise.resolve(next)
    },
    remove: async () => {
      tokens = Promise.resolve(undefined)
      for (const cookie of cookieNames(name)) await set(cookie, '', new Date(0))
    },
  }

  /** Tries to set a cookie before the refresh token is spent, because the new one must reach the browser. */
  const canSet = async (): Promise<boolean> => {
    try {
      await set(spareName(name), '', new Date(0))
      return true
    } catch {
      return false
    }
  }
  const asBrowser: Fetch = (sent) => {
    const headers = new Headers(sent.headers)
    const agent = headerOf(request, 'user-agent')
    if (agent) headers.set('user-agent', agent)
    if (address) headers.set('x-forwarded-for', address)
    return fetch(new Request(sent, { headers, cache: 'no-store' }))
  }
  const send: Fetch = async (sent) => {
    const { pathname } = new URL(sent.url)
    if (!renewalPaths.some((path) => pathname.endsWith(path))) return asBrowser(sent)
    if (await canSet()) return sendRenewal(sent, asBrowser)
    mustRenew = true
    return notHere()
  }
  const client = createClient({ ...options, fetch: send, store })

  return {
    client,
    get mustRenew() {
      return mustRenew
    },
    user: async () => {
      if (!(await tokens)) return null
      try {
        const me = await client.me()
        if (failure) throw failure
        return me
      } catch (error) {
        if (isUnauthorized(error) || (error instanceof CountersignError && error.serviceCode === MUST_RENEW)) return null
        throw error
      }
    },
    renew: async () => {
      // The cookie of an ended session is cleared by now. Any other error appears where the session is used.
      await client.accessToken().catch(() => undefined)
      return headersWith(request, jar)
    },
    signOut: async () => void (await client.auth.logout()),
  }
}
