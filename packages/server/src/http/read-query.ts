import type { RequestLayout } from '@countersign/contract'
import { errors } from '@countersign/core'
import { decodePercent } from './paths.ts'

type QueryMembers = RequestLayout['query']

const decode = (text: string): string => {
  const decoded = decodePercent(text.replaceAll('+', ' '))
  if (decoded === undefined) throw new errors.Invalid({ query: 'must be percent-encoded UTF-8' })
  return decoded
}

/** Normalises a name, so that spellings become equal: `sort_by`, `SortBy` and `sortBy`, `resourceType` and `resourceTypes`. */
const skeleton = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/s$/, '')

const spelling = (member: string, kind: 'one' | 'list'): string =>
  kind === 'one' ? `must be written as ${member}` : `must be written as ${member}, ${member}[] or ${member}[0]`

const memberFinder = (members: QueryMembers) => {
  const bySkeleton = new Map([...members.keys()].map((member) => [skeleton(member), member]))
  /** Returns the member that a name resembles: as a whole, before its brackets or inside them. */
  const resembled = (name: string): string | undefined => {
    const likeness = [name, ...name.split(/[[\].]/)].find((part) => bySkeleton.has(skeleton(part)))
    return likeness === undefined ? undefined : bySkeleton.get(skeleton(likeness))
  }
  /** Returns the member of a name; the name of a list may end in `[]` or `[0]`. @throws Invalid for a similar name */
  return (name: string): string | undefined => {
    if (members.has(name)) return name
    const listed = /^(.+)\[\d{0,6}\]$/s.exec(name)?.[1] ?? ''
    if (members.get(listed) === 'list') return listed
    const meant = resembled(name)
    if (meant !== undefined) throw new errors.Invalid({ [meant]: spelling(meant, members.get(meant) ?? 'one') })
    return undefined
  }
}

/** Reads the query of a URL. @throws Invalid */
export type ReadQuery = (url: string) => Record<string, string | string[]>

/**
 * Makes the reader of an operation's query. An empty value counts as absent, and an unknown name is ignored. A name that only
 * resembles a member is refused: without the intended filter, the response would contain too much. The reader throws Invalid for
 * such a name, a repeated member, bad encoding, NUL and `__proto__`.
 */
export const createQueryReader = (members: QueryMembers): ReadQuery => {
  const memberOf = memberFinder(members)
  return (url) => {
    const start = url.indexOf('?')
    if (start === -1) return {}
    const seen = new Set<string>()
    const single: Record<string, string> = {}
    const lists: Record<string, string[]> = {}
    for (const pair of url.slice(start + 1).split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const given = decode(equals === -1 ? pair : pair.slice(0, equals))
      const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
      if (given.includes('\0') || given.includes('__proto__')) throw new errors.Invalid({ query: 'must have plain names' })
      if (value.includes('\0')) throw new errors.Invalid({ [given]: 'must not contain NUL' })
      const member = memberOf(given)
      if (member === undefined) continue
      const isList = members.get(member) === 'list'
      if (!isList && seen.has(member)) throw new errors.Invalid({ [member]: 'must be given once' })
      seen.add(member)
      if (value === '') continue
      if (!isList) single[member] = value
      else if (lists[member] === undefined) lists[member] = [value]
      else lists[member].push(value)
    }
    return { ...single, ...lists }
  }
}
