import { refusedInput } from '../shared/errors/refused-input.ts'
import type { OperationRow } from './operation-row.ts'

/** An operation's input, laid out as its request. */
export interface RequestLayout {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, where the operation has a body. */
  readonly body: string | undefined
}

/** @throws CountersignError `VALIDATION_ERROR` for the member of that name, where its value cannot be written so */
export const write = <V, T>(name: string, value: V, how: (value: V) => T): T => {
  try {
    return how(value)
  } catch (cause) {
    throw refusedInput(name, 'cannot be sent', cause)
  }
}

/** Half a character, which is what is left of an emoji that was cut in two, has no such form. */
const escaped = (name: string, value: unknown): string => write(name, value, (one) => encodeURIComponent(String(one)))

/** What a header can carry: Latin-1 on one line. @throws CountersignError `VALIDATION_ERROR` for the input of that name */
export const headerValue = (name: string, value: unknown): string => {
  const trimmed = write(name, value, String).trim()
  if (!/^[ -~\u00a0-\u00ff]*$/.test(trimmed)) throw refusedInput(name, 'cannot be sent')
  return trimmed
}

const pair = (name: string, value: unknown): string => `${encodeURIComponent(name)}=${escaped(name, value)}`

/** By hand: not every React Native has a whole `URLSearchParams`. */
const queryOf = (members: ReadonlyMap<string, unknown>): string => {
  const pairs = [...members].flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item) => pair(`${name}[]`, item))
    return value === undefined || value === null ? [] : pair(name, value)
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/**
 * Lays an input out as the operation's row says: members of the path, headers, and the rest as query or JSON body.
 *
 * @throws CountersignError `VALIDATION_ERROR`, naming the member that cannot be sent
 */
export const toRequest = (operation: OperationRow, input: Readonly<Record<string, unknown>>): RequestLayout => {
  const rest = new Map(Object.entries({ ...input }))
  const take = (name: string): unknown => {
    const value = rest.get(name) ?? ''
    rest.delete(name)
    return value
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const member = escaped(name, take(name))
    // Nothing, and what means a folder, would make another path of it.
    if (/^\.{0,2}$/.test(member)) throw refusedInput(name, 'cannot be sent')
    return member
  })
  const headers: Record<string, string> = { accept: 'application/json', 'Countersign-Extended': '1' }
  for (const [member, header] of Object.entries(operation.headers ?? {})) headers[header] = headerValue(member, take(member))
  if (operation.method === 'GET' || operation.method === 'DELETE') return { path: path + queryOf(rest), headers, body: undefined }
  headers['content-type'] = 'application/json'
  for (const [name, value] of rest) write(name, value, JSON.stringify)
  return { path, headers, body: JSON.stringify(Object.fromEntries(rest)) }
}
