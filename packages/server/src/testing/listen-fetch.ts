import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Listening, type ListenOptions, listen } from '../adapters/node/listen.ts'

/** A Web-standard handler. The platform hands over Node's own request with the `Request`. */
type Fetch = (request: Request, env: { readonly incoming: IncomingMessage }) => Response | Promise<Response>

/** Serves a Web-standard handler over real HTTP. */
export const listenFetch = (fetch: Fetch, options: ListenOptions): Promise<Listening> => {
  const listener = getRequestListener((request, env) => fetch(request, env as { incoming: IncomingMessage }))
  return listen((incoming, outgoing) => void listener(incoming, outgoing), options)
}
