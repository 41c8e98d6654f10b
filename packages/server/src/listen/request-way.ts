import type { IncomingMessage, ServerResponse } from 'node:http'
import { respond } from '../wire/respond.ts'

/** A handler of requests, with Node's own request beside each. */
export type Fetch = (request: Request, env: { readonly incoming: IncomingMessage }) => Response | Promise<Response>

/** Answers a request of Node's server by a handler of `Request`s. */
export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

const load = async (fetch: Fetch): Promise<RequestHandler> => {
  const { getRequestListener } = await import('@hono/node-server')
  return getRequestListener((request, env) => fetch(request, env as { incoming: IncomingMessage }), {
    // An address that cannot be made a URL of is refused before there is a request.
    errorHandler: () => respond({ status: 400, body: JSON.stringify({ message: 'Bad Request', statusCode: 400 }), headers: {} }),
  })
}

/** The way of requests that are not answered directly. */
export interface RequestWay {
  readonly handle: RequestHandler
  /** Loads what it stands on, where nothing has yet. */
  readonly load: () => Promise<void>
}

/**
 * Makes the way of requests by a handler of `Request`s. What it stands on, Node's own `Request` and `Response` above all, is
 * not loaded before it is needed: it takes some 50 ms, a sixth of a start, and whoever asks first asks after health.
 */
export const requestWay = (fetch: Fetch): RequestWay => {
  let loaded: RequestHandler | undefined
  let loading: Promise<RequestHandler> | undefined
  const loadOnce = async (): Promise<RequestHandler> => {
    loading ??= load(fetch)
    loaded = await loading
    return loaded
  }
  const handleFirst: RequestHandler = async (incoming, outgoing) => (await loadOnce())(incoming, outgoing)
  return {
    handle: (incoming, outgoing) => (loaded ?? handleFirst)(incoming, outgoing),
    load: async () => {
      await loadOnce()
    },
  }
}
