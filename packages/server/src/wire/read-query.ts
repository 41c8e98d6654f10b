import { Invalid } from '@countersign/core'
import { decodePercent } from './decode.ts'

const decode = (text: string): string => {
  const decoded = decodePercent(text.replaceAll('+', ' '))
  if (decoded === undefined) throw new Invalid({ query: 'must be percent-encoded UTF-8' })
  return decoded
}

/**
 * Reads the query of a URL, strictly: each name once, except those that end with `[]`, which become lists under the name
 * before the brackets. @throws Invalid for bad encoding, NUL, `__proto__` and repeated names
 */
export const readQuery = (url: string): Record<string, string | string[]> => {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const members = new Map<string, string | string[]>()
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const given = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    if (given.includes('\0') || given.includes('__proto__')) throw new Invalid({ query: 'must have plain names' })
    if (value.includes('\0')) throw new Invalid({ [given]: 'must not contain NUL' })
    const isList = given.endsWith('[]')
    const name = isList ? given.slice(0, -2) : given
    const before = members.get(name)
    if (isList && Array.isArray(before)) before.push(value)
    else if (before === undefined) members.set(name, isList ? [value] : value)
    else throw new Invalid({ [name]: 'must be given once' })
  }
  return Object.fromEntries(members)
}
