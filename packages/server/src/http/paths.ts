import { errors } from '@countersign/core'
import { attempt } from '../shared/attempt.ts'
import { WireRefusal } from './refusals.ts'
import type { PathMembers } from './router.ts'

/** Returns the path of an absolute or relative URL as written. Nothing is decoded, so two spellings stay two paths. */
export const rawPath = (url: string): string => {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query === -1 ? url.slice(start) : url.slice(start, query)
}

/** The scheme and authority of a target in absolute-form (RFC 9112 §3.2.2), up to its path. */
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i

/** Returns the path of a target in origin-form or absolute-form, as written; `undefined` for every other form (RFC 9112 §3.2). */
export const pathOfTarget = (target: string): string | undefined => {
  const rest = target.startsWith('/') ? target : ABSOLUTE.test(target) ? target.replace(ABSOLUTE, '') : undefined
  return rest === undefined ? undefined : /^[^?#]*/.exec(rest)?.[0] || '/'
}

/** Decodes percent-encoded UTF-8 (RFC 3986 §2.1); `undefined` for invalid text. */
export const decodePercent = (text: string): string | undefined => attempt(() => decodeURIComponent(text))

/** Decodes a path parameter, without encoded slashes, which router and handler could read differently (CVE-2026-29087). */
const decodeMember = (text: string): string => {
  if (!text.includes('%')) return text
  if (/%(?:2f|5c)/i.test(text)) throw new WireRefusal('route_not_found')
  if (/%00/.test(text)) throw new errors.Invalid({ path: 'must not contain NUL' })
  const decoded = decodePercent(text)
  if (decoded === undefined) throw new errors.Invalid({ path: 'must be percent-encoded UTF-8' })
  return decoded
}

/** Decodes the members of a path. @throws WireRefusal, Invalid */
export const decodeMembers = (members: PathMembers): PathMembers =>
  Object.fromEntries(Object.entries(members).map(([name, text]) => [name, decodeMember(text)]))

/** Segments of characters that no client and no proxy writes in two ways, and no dot segments. */
const BASE_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/** Checks the path below which an app answers. An empty path is the root. @throws RangeError */
export const checkBasePath = (basePath: string): string => {
  if (basePath === '' || BASE_PATH.test(basePath)) return basePath
  throw new RangeError('basePath must begin with a slash, end without one, and hold letters, digits and .~_- between slashes')
}

/** The rest of a path below the base path; empty for a path that lies elsewhere. */
export const pathBelow = (basePath: string, path: string): string => {
  if (basePath === '') return path
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : ''
}
