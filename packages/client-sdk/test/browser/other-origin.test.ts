import { createTestUser, testPassword } from '@countersign/core/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser, openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { freePort } from '../../../../tools/testing/free-port.ts'
import { createNodeHandler } from '../../../server/src/adapters/node/handler.ts'
import { type Listening, listen } from '../../../server/src/adapters/node/listen.ts'
import { createAppPipeline } from '../../../server/src/app.ts'
import { listenFetch } from '../../../server/src/testing/listen-fetch.ts'
import { createTestApp, type TestApp } from '../../../server/src/testing/test-app.ts'
import type { CountersignError } from '../../src/index.ts'
import { bundleClient } from '../../src/testing/bundle-client.ts'

const PAGE = `<!doctype html><title>App</title><link rel="icon" href="data:,">
  <script type="module">globalThis.sdk = await import('/sdk.js')</script>`

/** Serves a page with the bundled client. The server is real, because a browser driver would answer the preflights itself. */
const servePages = (code: string) => (request: Request) =>
  request.url.endsWith('/sdk.js')
    ? new Response(code, { headers: { 'content-type': 'text/javascript' } })
    : new Response(PAGE, { headers: { 'content-type': 'text/html' } })

describeInBrowser('an app of another origin than the service', () => {
  let test: TestApp
  let app: Listening
  let stranger: Listening
  let service: Listening
  let browser: Browser
  /** The requests to the service, as `OPTIONS /path`. */
  const requests: string[] = []

  beforeAll(async () => {
    const { code } = await bundleClient(`export * from '@countersign/client-sdk'`)
    app = await listenFetch(servePages(code), { host: 'localhost', port: await freePort() })
    stranger = await listenFetch(servePages(code), { host: 'localhost', port: await freePort() })
    test = await createTestApp()
    const pipeline = createAppPipeline(test.countersign, { version: '1.2.3', corsOrigins: [app.url] })
    const handler = createNodeHandler(pipeline, test.logger)
    service = await listen(
      (incoming, outgoing) => {
        requests.push(`${incoming.method} ${incoming.url}`)
        handler(incoming, outgoing)
      },
      { host: 'localhost', port: 0 },
    )
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([app, stranger, service].map((one) => one?.close(0)))
  })

  const open = async ({ url }: Listening): Promise<Page> => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(url)
    await page.waitForFunction(() => 'sdk' in globalThis)
    return page
  }

  it('can call the service with the client if the service lists its origin', async () => {
    const { email } = await createTestUser(test, { permissions: ['project.*'] })
    const page = await open(app)
    const outcome = await page.evaluate(
      async ({ baseUrl, ...credentials }) => {
        const client = sdk.createClient({ baseUrl })
        await client.auth.login(credentials)
        const { devices } = await client.devices.list()
        const { meta } = await client.projects.list({ limit: 5 })
        const missing = await client.projects.update({ uniqueCode: 'PRJ-1', name: 'x' }).catch((error: unknown) => error)
        await client.auth.logout()
        return {
          devices,
          total: meta.total,
          missing: (({ code, requestId }) => ({ code, requestId }))(missing as CountersignError),
        }
      },
      { baseUrl: service.url, email, password: testPassword },
    )
    expect(outcome).toEqual({
      devices: [],
      total: 0,
      missing: { code: 'NOT_FOUND', requestId: expect.stringMatching(/^[\w-]{36}$/) },
    })
    expect(requests).toContain('OPTIONS /api/v1/auth/login')
    expect(requests).toContain('OPTIONS /api/v1/projects/PRJ-1')
  })

  it('can read from the response when to try again', async () => {
    const page = await open(app)
    const refusal = await page.evaluate(async (baseUrl) => {
      const client = sdk.createClient({ baseUrl })
      const tries = Array.from({ length: 70 }, () => client.mobile.beginLogin({ deviceFingerprint: 'x' }))
      const refused = (await Promise.allSettled(tries)).find(({ status }) => status === 'rejected') as PromiseRejectedResult
      const { code, retryAfter, requestId } = refused.reason as CountersignError
      return { code, retryAfter, requestId }
    }, service.url)
    expect(refusal).toEqual({ code: 'RATE_LIMITED', retryAfter: expect.any(Number), requestId: expect.any(String) })
  })

  it('gets an error that mentions CORS, if the service does not list its origin', async () => {
    const page = await open(stranger)
    const failures = await page.evaluate(async (baseUrl) => {
      const client = sdk.createClient({ baseUrl, retries: 0 })
      const calls = [client.health.check(), client.auth.login({ email: 'ada@example.test', password: 'x' })]
      const settled = await Promise.allSettled(calls)
      return settled.map((one) => {
        const { code, message } = (one as PromiseRejectedResult).reason as CountersignError
        return { code, message }
      })
    }, service.url)
    const failure = {
      code: 'NETWORK_ERROR',
      message: `The service does not permit calls from ${new URL(stranger.url).origin} (CORS)`,
    }
    expect(failures).toEqual([failure, failure])
  })
})
