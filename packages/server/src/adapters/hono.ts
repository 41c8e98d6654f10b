import { type Context, Hono } from 'hono'
import { basePath } from 'hono/route'
import type { EventStream } from '../http/event-stream.ts'
import type { Pipeline } from '../http/handle-request.ts'
import type { HttpRequest } from '../http/http-request.ts'
import { headersOf } from '../http/http-response.ts'
import { pathBelow, pathOfTarget, rawPath } from '../http/paths.ts'
import { WireRefusal } from '../http/refusals.ts'
import { collectAtMost } from '../shared/collect-at-most.ts'

/** The HTTP interface of a `Countersign`, as a Hono app. Its `fetch` is a Web-standard handler. */
export interface CountersignApp extends Hono {
  /** Returns whether a target or URL is Countersign's, whatever the method. A host hands all others to its own routes. */
  readonly handles: (target: string) => boolean
}

/** Platform facts about a request that the `Request` object does not contain. */
export interface Platform {
  /** Returns the address of the peer, if the platform knows it. */
  readonly socketAddress: (request: Request, env: unknown) => string | undefined
  /** Returns the request's target as received, if the platform knows it. */
  readonly requestTarget?: ((env: unknown) => string | undefined) | undefined
  /** Is called with a body that could not be read because the host had read the body before. */
  readonly onBodyAlreadyRead: () => void
}

/** Returns whether somebody has begun to read the body: of the `Request`, or of the request of Node behind the `Request`. */
const isBodyRead = (request: Request, env: unknown): boolean => {
  const { incoming } = (env ?? {}) as { readonly incoming?: { readonly readableDidRead?: boolean } }
  return request.bodyUsed || incoming?.readableDidRead === true
}

/** Returns whether the request of Node behind a `Request` has several Host headers, of which a `Request` shows the first only. */
const hasSeveralHosts = (env: unknown): boolean => {
  const { incoming } = (env ?? {}) as { readonly incoming?: { readonly rawHeaders?: readonly string[] } }
  const names = incoming?.rawHeaders?.filter((_, at) => at % 2 === 0) ?? []
  return names.filter((name) => name.toLowerCase() === 'host').length > 1
}

/** Reads the body of a `Request`; as a whole if its length is declared, which the HTTP parser of the platform guarantees. */
const readBody = async (request: Request, most: number): Promise<Uint8Array> => {
  const declared = request.headers.get('content-length')
  const isChunked = declared === null || request.headers.has('transfer-encoding')
  if (isChunked && request.body === null) return new Uint8Array()
  if (!isChunked && Number(declared) > most) throw new WireRefusal('payload_too_large')
  const bytes =
    isChunked && request.body !== null ? await collectAtMost(request.body, most) : new Uint8Array(await request.arrayBuffer())
  // The headers of an in-process request may be wrong, so the length is checked here.
  if (bytes === undefined || bytes.byteLength > most) throw new WireRefusal('payload_too_large')
  return bytes
}

/** The most pieces that wait for a client that reads slowly. */
const MOST_PIECES = 100

const readableOf = (stream: EventStream): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder()
  let hasEnded = false
  return new ReadableStream(
    {
      start: (controller) => {
        stream.attach({
          write: (text) => {
            controller.enqueue(encoder.encode(text))
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => {
            if (!hasEnded) controller.close()
            hasEnded = true
          },
        })
      },
      cancel: () => {
        hasEnded = true
        stream.leave()
      },
    },
    new CountQueuingStrategy({ highWaterMark: MOST_PIECES }),
  )
}

/** Makes the Hono app of a pipeline. Hono routes nothing: the one matcher is the pipeline's. */
export const createHonoApp = (
  pipeline: Pipeline,
  { socketAddress, requestTarget, onBodyAlreadyRead }: Platform,
): CountersignApp => {
  const toHttpRequest = (c: Context): HttpRequest => {
    const request = c.req.raw
    const { method, url, headers } = request
    const target = requestTarget?.(c.env)
    const path = rawPath(url)
    const written = target === undefined ? path : (pathOfTarget(target) ?? '')
    // The prefix of a Hono app that mounts this one by `route`.
    const prefix = basePath(c).replace(/\/$/, '')
    return {
      method,
      url,
      path: pathBelow(prefix, written),
      isCanonical: written === path,
      headers,
      peerAddress: () => socketAddress(request, c.env),
      disconnected: () => request.signal,
      readBody: async (most) => {
        const wasRead = isBodyRead(request, c.env)
        try {
          return await readBody(request, most)
        } catch (error) {
          if (wasRead && !(error instanceof WireRefusal)) onBodyAlreadyRead()
          throw error
        }
      },
    }
  }

  const respond = async (c: Context): Promise<Response> => {
    const request = toHttpRequest(c)
    // RFC 9112 §3.2.
    const response = hasSeveralHosts(c.env)
      ? pipeline.refuse(new WireRefusal('malformed_request'), request.path)
      : await pipeline.handleRequest(request)
    const body = response.stream === undefined ? response.body : readableOf(response.stream)
    return new Response(body, { status: response.status, headers: headersOf(response) })
  }

  const app = new Hono()
  // An unknown path goes on to the 404 of the app, or of the Hono app that mounts this one.
  app.all('*', (c, next) => (pipeline.takes(toHttpRequest(c)) ? respond(c) : next()))
  app.notFound(respond)
  return Object.assign(app, { handles: pipeline.handles })
}
