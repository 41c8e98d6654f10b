import { freePort } from '../../../../tools/testing/free-port.ts'
import { listenFetch } from '../../../server/src/testing/listen-fetch.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../../server/src/testing/test-app.ts'
import type { Client } from '../../src/client.ts'
import type * as Events from '../../src/events/index.ts'
import type * as Sdk from '../../src/index.ts'
import type * as PasskeyApprovals from '../../src/passkey-approvals/index.ts'
import type * as Receipts from '../../src/receipt/index.ts'
import { bundleClient } from '../../src/testing/bundle-client.ts'

declare global {
  /** The bundled client, in the pages of these suites. */
  var sdk: typeof Sdk & typeof PasskeyApprovals & { readonly events: typeof Events; readonly receipts: typeof Receipts }
  /** A value that one step of a test leaves for the next step. */
  var client: Client
  /** The number of passkey prompts so far, in a page whose test counts them. */
  var prompts: number
}

/** A real server, which serves the bundled client in a page of its origin. */
export interface ServedClient {
  readonly test: TestApp
  readonly origin: string
  /** The requests to the service so far, as `POST /path`. */
  readonly requests: string[]
  /** The paths whose requests take effect, but get no answer. */
  readonly unanswered: Set<string>
  /** The content type and the text of each file, by path. A test can add files. */
  readonly files: Map<string, readonly [type: string, text: string]>
  close(): Promise<void>
}

const PAGE = `<!doctype html><title>Client</title>
  <link rel="icon" href="data:,">
  <form><input autocomplete="username webauthn"></form>
  <script type="module">globalThis.sdk = await import('/sdk.js')</script>`

export const serveClient = async (options: TestAppOptions['options'] = {}): Promise<ServedClient> => {
  const port = await freePort()
  // `localhost` is a valid id of a relying party and a secure context. An IP address is neither.
  const origin = `http://localhost:${port}`
  const relyingParty = { id: 'localhost', name: 'Countersign', origins: [origin] }
  const test = await createTestApp({ options: { relyingParty, ...options } })
  const requests: string[] = []
  const unanswered = new Set<string>()
  const { code } = await bundleClient(
    `export * from '@countersign/client-sdk'; export * from '@countersign/client-sdk/passkey-approvals'
     export * as events from '@countersign/client-sdk/events'; export * as receipts from '@countersign/client-sdk/receipt'`,
  )
  const files: ServedClient['files'] = new Map([
    ['/', ['text/html', PAGE]],
    ['/sdk.js', ['text/javascript', code]],
  ])
  const server = await listenFetch(
    async (request, env) => {
      const { pathname } = new URL(request.url)
      const [type, text] = files.get(pathname) ?? []
      if (type) return new Response(text, { headers: { 'content-type': type } })
      requests.push(`${request.method} ${pathname}`)
      // Read before the request is handled, because a test that has seen the request may end the loss of answers.
      const isLost = unanswered.has(pathname)
      const response = await test.app.fetch(request, env)
      return isLost ? new Promise<never>(() => {}) : response
    },
    { host: 'localhost', port },
  )
  return { test, origin, requests, unanswered, files, close: () => server.close(1000) }
}
