import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '../../http/http-request.ts'
import { pathOfTarget, rawPath } from '../../http/paths.ts'

/** The target of a request, as the pipeline reads it. */
export type RequestTarget = Pick<HttpRequest, 'url' | 'path' | 'isCanonical'>

/** A host that every URL parser leaves as it is: lower case, and no port that is the default of a scheme. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/
/** A target that every URL parser leaves as it is, apart from dot segments. */
const PLAIN_TARGET = /^\/[!$&-;=?-[\]_a-z~]*$/
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/

const isPlain = (host: string, target: string): boolean =>
  PLAIN_HOST.test(host) && PLAIN_TARGET.test(target) && !DOT_SEGMENT.test(target)

/** Returns the target as a URL; `undefined` if the target or the host is not part of one. */
const urlOf = (target: string, host: string): URL | undefined => {
  if (/^https?:\/\//.test(target)) return URL.parse(target) ?? undefined
  if (!target.startsWith('/')) return undefined
  const url = URL.parse(`http://${host}${target}`) ?? undefined
  // A host such as `a@b` or `a/b` is only partly the host of the URL.
  const isWholeHost = url?.hostname.length === host.length || url?.hostname === host.replace(/:\d+$/, '').toLowerCase()
  return PLAIN_HOST.test(host) || isWholeHost ? url : undefined
}

/** Only HTTP/1.1 demands a Host header (RFC 9112 §3.2). No response depends on its value. */
const hostOf = ({ httpVersion, headers }: IncomingMessage): string => headers.host ?? (httpVersion === '1.0' ? 'localhost' : '')

/**
 * Reads the target of a request. Returns `undefined` if the target is no URL, has a backslash in its path, or if the
 * host is missing or no host.
 */
export const readTarget = (incoming: IncomingMessage): RequestTarget | undefined => {
  const target = incoming.url ?? ''
  const host = hostOf(incoming)
  const path = pathOfTarget(target) ?? ''
  if (isPlain(host, target)) return { url: target, path, isCanonical: true }
  if (/^[^?]*\\/.test(target) || (host === '' && target.startsWith('/'))) return undefined
  const url = urlOf(target, host)
  return url && { url: url.href, path, isCanonical: rawPath(url.href) === path }
}
