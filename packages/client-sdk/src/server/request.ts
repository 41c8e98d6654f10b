/** The headers of a request: `Headers`, or the plain object of Node. */
export type RequestHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A request of the browser: a `Request`, the request of Express, or what Next gives a server component. */
export interface ServerRequest {
  readonly headers: RequestHeaders
  /** Without a method, a request whose cookies can be set counts as one that changes something. */
  readonly method?: string | undefined
  readonly url?: string | undefined
}

const hasGet = (headers: RequestHeaders): headers is { get(name: string): string | null } => typeof headers.get === 'function'

export const headerOf = ({ headers }: ServerRequest, name: string): string | undefined => {
  const value = hasGet(headers) ? headers.get(name) : headers[name]
  return (typeof value === 'object' ? value?.join(', ') : value) ?? undefined
}

const urlOf = (text: string | undefined): URL | undefined => (text && URL.canParse(text) ? new URL(text) : undefined)

/** The host of a request, with its port. Node gives the host of HTTP/2 a name that `Headers` refuses. */
const hostOf = (request: ServerRequest): string => {
  const authority = hasGet(request.headers) ? undefined : headerOf(request, ':authority')
  return headerOf(request, 'host') ?? authority ?? urlOf(request.url)?.host ?? ''
}

const isLoopback = (host: string): boolean => /^(?:(?:[^:]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(host)

/** Returns whether the browser calls by plain http on its own machine, where not every browser keeps `Secure` cookies. */
export const isPlainLoopback = (request: ServerRequest, origin: string | undefined): boolean => {
  const own = urlOf(origin)
  if (own) return own.protocol === 'http:' && isLoopback(own.host)
  const isHttps = urlOf(request.url)?.protocol === 'https:' || headerOf(request, 'x-forwarded-proto') === 'https'
  return !isHttps && isLoopback(hostOf(request))
}

/**
 * Returns whether a page of another origin may have sent a request that changes something. One without an origin is not trusted.
 */
export const isForeign = (request: ServerRequest, canWrite: boolean, origin: string | undefined): boolean => {
  const method = request.method ?? (canWrite ? 'POST' : 'GET')
  if (/^(?:GET|HEAD|OPTIONS)$/i.test(method)) return false
  const site = headerOf(request, 'sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin'
  const sender = urlOf(headerOf(request, 'origin'))
  return (
    sender === undefined || (origin === undefined ? sender.host !== hostOf(request) : sender.origin !== urlOf(origin)?.origin)
  )
}

export const headersWith = ({ headers }: ServerRequest, cookies: ReadonlyMap<string, string>): Headers => {
  const entries = Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers)
  const copied = new Headers()
  for (const [name, value] of entries) {
    if (!name.startsWith(':')) for (const one of [value].flat()) if (typeof one === 'string') copied.append(name, one)
  }
  copied.delete('cookie')
  if (cookies.size > 0) copied.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
  return copied
}
