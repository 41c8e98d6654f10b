import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { LaunchOptions } from '../../../../tools/testing/browser/launch-chromium.ts'
import { openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { type Watched, watchContext } from '../../../../tools/testing/browser/watch-context.ts'
import { freePort } from '../../../../tools/testing/free-port.ts'
import type { Listening } from '../../../server/src/adapters/node/listen.ts'
import { listenFetch } from '../../../server/src/testing/listen-fetch.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../../server/src/testing/test-app.ts'
import type { Client } from '../../src/client.ts'
import type * as Sdk from '../../src/index.ts'
import { bundleClient } from '../../src/testing/bundle-client.ts'

declare global {
  /** The bundled client, in the pages of these suites. */
  var sdk: typeof Sdk
  /** A value that one step of a test leaves for the next step. */
  var client: Client
  /** The number of passkey prompts so far, in a page whose test counts them. */
  var prompts: number
}

/** A real server, and pages of its origin that contain only the bundled client. */
export interface ClientPages {
  readonly test: TestApp
  /** The requests to the server so far, as `POST /path`. */
  readonly requests: string[]
  readonly watched: Watched
  /** Opens another tab of the same browser profile. */
  openTab(): Promise<Page>
  close(): Promise<void>
}

const PAGE = `<!doctype html><title>Client</title>
  <link rel="icon" href="data:,">
  <form><input autocomplete="username webauthn"></form>
  <script type="module">globalThis.sdk = await import('/sdk.js')</script>`

const serveFiles = async (context: BrowserContext, origin: string, code: string): Promise<void> => {
  await context.route(`${origin}/`, (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
  await context.route(`${origin}/sdk.js`, (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
}

export const openClientPages = async (options: TestAppOptions['options'] = {}, launch?: LaunchOptions): Promise<ClientPages> => {
  const port = await freePort()
  // `localhost` is a valid id of a relying party and a secure context. An IP address is neither.
  const origin = `http://localhost:${port}`
  const relyingParty = { id: 'localhost', name: 'Countersign', origins: [origin] }
  const test = createTestApp({ options: { relyingParty, ...options } })
  const requests: string[] = []
  let server: Listening | undefined
  let browser: Browser | undefined
  const close = async () => {
    await browser?.close()
    await server?.close(1000)
  }
  try {
    server = await listenFetch(
      (request, env) => {
        requests.push(`${request.method} ${new URL(request.url).pathname}`)
        return test.app.fetch(request, env)
      },
      { host: 'localhost', port },
    )
    browser = await openBrowser(launch)
    const context = await browser.newContext()
    const watched = watchContext(context)
    const { code } = await bundleClient(`export * from '@countersign/client-sdk'`)
    await serveFiles(context, origin, code)
    const openTab = async () => {
      const page = await context.newPage()
      await page.goto(origin)
      await page.waitForFunction(() => 'sdk' in globalThis)
      return page
    }
    return { test, requests, watched, openTab, close }
  } catch (error) {
    await close()
    throw error
  }
}
