import { createTestUser, testPassword } from '@countersign/core/testing'
import { onTestFinished } from 'vitest'
import { startRealServer } from '../../../server/src/testing/real-server.ts'
import { createTestApp } from '../../../server/src/testing/test-app.ts'
import type { ServerSessionOptions } from '../server/index.ts'
import { hours, pass } from './clocks.ts'
import { startRenderingServer } from './rendering-server.ts'
import type { TestClient } from './test-client.ts'

const RENEWAL = 'POST /api/v1/auth/refresh'

export const secret = 'a secret of this test, and of nothing else'

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
  const { url, close } = await startRenderingServer(() => ({
    baseUrl: service.url,
    secret: settings.secret,
    fetch: async (one) => {
      const call = `${one.method} ${new URL(one.url).pathname}`
      sent.push(call)
      if (call === RENEWAL) await settings.beforeRenewal?.()
      return fetch(one)
    },
    ...options,
  }))
  onTestFinished(async () => {
    close()
    await service.close(1000)
  })
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
