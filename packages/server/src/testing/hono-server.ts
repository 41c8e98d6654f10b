import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Listening, type ListenOptions, listen } from '../adapters/node/listen.ts'
import { type AppOptions, createApp } from '../app.ts'
import { errorFormOfPath, toRefusal } from '../http/error-responses.ts'
import { headersOf } from '../http/http-response.ts'
import { pathOfTarget } from '../http/paths.ts'
import { WireRefusal } from '../http/refusals.ts'
import type { TestApp } from './test-app.ts'

/** The response of a host to a request without a valid URL, which never reaches the app. */
const refuseUnreadable = (path: string): Response => {
  const { status, headers, body } = toRefusal(new WireRefusal('malformed_request'), errorFormOfPath(path))
  const response = { status, headers, body: JSON.stringify(body) }
  return new Response(response.body, { status, headers: headersOf(response) })
}

/** Serves a core over real HTTP through the Hono adapter, like a host on `@hono/node-server`. */
export const startHonoServer = (
  { countersign }: Pick<TestApp, 'countersign'>,
  options: Partial<AppOptions> = {},
  listenOptions: Partial<ListenOptions> = {},
): Promise<Listening> => {
  const app = createApp(countersign, {
    version: '1.2.3',
    requestTarget: (env) => (env as { incoming: IncomingMessage }).incoming.url,
    ...options,
  })
  return listen(
    (incoming, outgoing) => {
      // Old HTTP/1.0 clients send no Host header, so the host supplies one.
      const hostname = incoming.httpVersion === '1.0' && incoming.headers.host === undefined ? { hostname: 'localhost' } : {}
      const path = pathOfTarget(incoming.url ?? '') ?? ''
      const listener = getRequestListener(app.fetch, { ...hostname, errorHandler: () => refuseUnreadable(path) })
      void listener(incoming, outgoing)
    },
    { host: '127.0.0.1', port: 0, ...listenOptions },
  )
}
