import { Invalid } from '@countersign/core'
import { decodePercent } from './decode.ts'
import { WireRefusal } from './refusals.ts'

/** The path of an absolute or relative URL, as written: nothing is decoded, so no two spellings become one. */
export const rawPath = (url: string): string => {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query === -1 ? url.slice(start) : url.slice(start, query)
}

/** The scheme and authority of a target in absolute-form (RFC 9112 §3.2.2), up to its path. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i

/**
 * The path of a request's target, as written: of a target in origin-form, or in absolute-form, as proxies get it. `undefined`
 * for every other form, which names no resource of ours (RFC 9112 §3.2: `*` and `host:port`).
 */
export const pathOfTarget = (target: string): string | undefined => {
  const rest = target.startsWith('/') ? target : ABSOLUTE.test(target) ? target.replace(ABSOLUTE, '') : undefined
  return rest === undefined ? undefined : /^[^?#]*/.exec(rest)?.[0] || '/'
}

/**
 * Checks a path that a template has matched before its members are decoded: an encoded slash is part of no member
 * (CVE-2026-29087: router and handler disagreed on it). @throws WireRefusal, Invalid
 */
export const checkPath = (path: string): void => {
  if (!path.includes('%')) return
  if (/%(?:2f|5c)/i.test(path)) throw new WireRefusal('route_not_found')
  if (/%00/.test(path)) throw new Invalid({ path: 'must not contain NUL' })
  if (decodePercent(path) === undefined) throw new Invalid({ path: 'must be percent-encoded UTF-8' })
}
