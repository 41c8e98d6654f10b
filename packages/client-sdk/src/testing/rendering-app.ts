import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { onTestFinished } from 'vitest'
import { startRealServer } from '../../../server/src/testing/real-server.ts'
import { createTestApp } from '../../../server/src/testing/test-app.ts'
import { createServerSession, type ServerSession, type ServerSessionOptions, type SetCookie } from '../server/index.ts'
import { hours, pass } from './clocks.ts'
import type { TestClient } from './test-client.ts'

const RENEWAL = 'POST /api/v1/auth/refresh'

export const secret = 'a secret of this test, and of nothing else'

/** Appends a cookie to an answer of Node, and throws after the head of the answer was sent. */
const setCookieOf =
  (response: ServerResponse): SetCookie =>
  (name, value, { expires, secure }) => {
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Expires=${expires.toUTCString()}${secure ? '; Secure' : ''}`
    response.appendHeader('set-cookie', `${name}=${value}; ${attributes}`)
  }

type Page = (session: ServerSession, request: IncomingMessage) => Promise<unknown>

/** The pages of the app. */
const pages: Readonly<Record<string, Page>> = {
  '/login': async ({ client }, request) => client.auth.login((await json(request)) as { email: string; password: string }),
  '/logout': (session) => session.signOut(),
  '/user': async (session) => ({ user: await session.user(), mustRenew: session.mustRenew }),
  // As in a server component, and as after the head of the answer.
  '/component': async (session) => ({ user: await session.user(), mustRenew: session.mustRenew }),
  '/late': async (session) => ({ user: await session.user(), mustRenew: session.mustRenew }),
}

export interface Answer {
  readonly status: number
  readonly body: {
    readonly user?: { readonly user: { readonly email: string } } | null
    readonly mustRenew?: boolean
    code?: string
  }
  /** The `Set-Cookie` headers. */
  readonly cookies: readonly string[]
  /** Lets the browser have the answer. */
  receive(): void
}

/** A browser, with cookies only. It says where a request comes from as browsers do. */
export const createBrowser = (url: string) => {
  const jar = new Map<string, string>()
  const send = async (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'user-agent': 'Test browser',
        ...(body === undefined ? {} : { origin: url }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const cookies = response.headers.getSetCookie()
    const receive = () => {
      for (const line of cookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
    }
    return { status: response.status, body: (await response.json()) as Answer['body'], cookies, receive }
  }
  const visit = async (...args: Parameters<typeof send>): Promise<Answer> => {
    const answer = await send(...args)
    answer.receive()
    return answer
  }
  return { jar, send, visit }
}

/** Starts Countersign, and an app that renders pages for it, each on a port of its own. */
export const startRenderingApp = async (
  permissions: readonly string[] = ['project.*'],
  options: Partial<ServerSessionOptions> = {},
) => {
  const test = await createTestApp()
  const service = await startRealServer(test)
  const user = await createTestUser(test, { permissions: [...permissions] })
  const settings: {
    secret: ServerSessionOptions['secret']
    /** Runs before a renewal is sent to Countersign. */
    beforeRenewal?: () => Promise<void>
  } = { secret }
  /** The requests to Countersign, as `POST /path`. */
  const sent: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://app.test')
    if (pathname === '/late') response.flushHeaders()
    const session = createServerSession({
      baseUrl: service.url,
      request,
      secret: settings.secret,
      ...(pathname === '/component' ? {} : { setCookie: setCookieOf(response) }),
      fetch: async (one) => {
        const call = `${one.method} ${new URL(one.url).pathname}`
        sent.push(call)
        if (call === RENEWAL) await settings.beforeRenewal?.()
        return fetch(one)
      },
      ...options,
    })
    const shown = await pages[pathname]?.(session, request).catch((error: { code?: string; message: string }) => {
      if (pathname !== '/late') response.statusCode = 500
      return { code: error.code, message: error.message }
    })
    response.end(JSON.stringify(shown ?? {}))
  }
  const app = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    app.closeAllConnections()
    app.close()
    await service.close(1000)
  })
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  const browser = createBrowser(url)
  const login = { email: user.email, password: testPassword }
  return {
    test,
    service,
    settings,
    sent,
    url,
    user,
    login,
    browser,
    /** Signs in, and forgets the requests so far. */
    signIn: async () => {
      const answer = await browser.visit('/login', login)
      sent.length = 0
      return answer
    },
    /** Lets the access token end. */
    age: () => pass({ test } as TestClient, hours(8)),
    renewals: () => sent.filter((one) => one === RENEWAL).length,
    reused: () => test.logger.entries.filter(({ event }) => event === 'refresh_token_reused'),
  }
}
