import type { IncomingMessage, ServerResponse } from 'node:http'
import { type ErrorForm, errorFormOfPath, toRefusal } from '../../http/errors.ts'
import { pathOfTarget } from '../../http/paths.ts'
import { WireRefusal } from '../../http/refusals.ts'
import { respond } from '../../http/respond.ts'

/** A handler of requests, with Node's own request beside each. */
export type Fetch = (request: Request, env: { readonly incoming: IncomingMessage }) => Response | Promise<Response>

/** Answers a request of Node's server by a handler of `Request`s. */
export type RequestHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

const refuse = (form: ErrorForm): Response => {
  const { status, headers, body } = toRefusal(new WireRefusal('unreadable'), form)
  return respond({ status, headers, body: JSON.stringify(body) })
}

/** Only HTTP/1.1 demands a Host (RFC 9112 §3.2). No answer depends on its value. */
const mayLackHost = ({ httpVersion, headers }: IncomingMessage): boolean => httpVersion === '1.0' && headers.host === undefined

const load = async (fetch: Fetch): Promise<RequestHandler> => {
  const { getRequestListener } = await import('@hono/node-server')
  const listenerOf = (form: ErrorForm, host: { readonly hostname?: string }) =>
    getRequestListener((request, env) => fetch(request, env as { incoming: IncomingMessage }), {
      ...host,
      // An address that no URL can be made of is refused before there is a request, and this is not told which it was.
      errorHandler: () => refuse(form),
    })
  const listenersOf = (host: { readonly hostname?: string }) => ({
    authentication: listenerOf('authentication', host),
    projects: listenerOf('projects', host),
  })
  const [listeners, hostless] = [listenersOf({}), listenersOf({ hostname: 'localhost' })]
  return (incoming, outgoing) => {
    const form = errorFormOfPath(pathOfTarget(incoming.url ?? '') ?? '')
    return (mayLackHost(incoming) ? hostless : listeners)[form](incoming, outgoing)
  }
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
