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

/**
 * The way of requests that are not answered directly. What it stands on, Node's own `Request` and `Response` above all, is
 * loaded with the first of them: an eighth of what a start took, and of no use to whoever only asks after health or tokens.
 */
export const requestHandler = (fetch: Fetch): RequestHandler => {
  let loaded: RequestHandler | undefined
  let loading: Promise<RequestHandler> | undefined
  const loadFirst: RequestHandler = async (incoming, outgoing) => {
    loading ??= load(fetch)
    loaded = await loading
    await loaded(incoming, outgoing)
  }
  return (incoming, outgoing) => (loaded ?? loadFirst)(incoming, outgoing)
}
