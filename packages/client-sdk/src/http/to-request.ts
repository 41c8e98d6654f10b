import type { Operation } from '@countersign/contract/operations'
import { refusedInput } from '../shared/errors/countersign-error.ts'

/** The members of an operation's row that the client needs, in the order that compresses best in the bundle. */
export const rowMembers = [
  'method',
  'envelope',
  'authentication',
  'path',
  'headers',
] as const satisfies readonly (keyof Operation)[]

export type OperationRow = Pick<Operation, (typeof rowMembers)[number]>

/** The request of an operation's input. */
export interface RequestLayout {
  readonly row: OperationRow
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; `undefined` for an operation without a body. */
  readonly body?: string
}

/** Writes a value with `how`. @throws CountersignError `VALIDATION_ERROR` with the name of a member that cannot be written */
export const write = <V, T>(name: string, value: V, how: (value: V) => T): T => {
  try {
    return how(value)
  } catch (cause) {
    throw refusedInput(name, 'cannot be sent', cause)
  }
}

/** Encodes a value for a URL. Half a surrogate pair, as in a cut emoji, has no encoding. */
const escaped = (name: string, value: unknown): string => write(name, value, (one) => encodeURIComponent(String(one)))

/** Returns a value for a header: one line of Latin-1. @throws CountersignError `VALIDATION_ERROR` with the name of the input */
export const headerValue = (name: string, value: unknown): string => {
  const trimmed = write(name, value, String).trim()
  if (!/^[ -~\u00a0-\u00ff]*$/.test(trimmed)) throw refusedInput(name, 'cannot be sent')
  return trimmed
}

const pair = (name: string, value: unknown): string => `${encodeURIComponent(name)}=${escaped(name, value)}`

/** Written by hand, because some React Native runtimes lack a complete `URLSearchParams`. */
const queryOf = (members: ReadonlyMap<string, unknown>): string => {
  const pairs = [...members].flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item) => pair(`${name}[]`, item))
    return value === undefined || value === null ? [] : pair(name, value)
  })
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Makes the request of an input as the operation's row says. @throws CountersignError `VALIDATION_ERROR` with the member's name */
export const toRequest = (row: OperationRow, input: Readonly<Record<string, unknown>>): RequestLayout => {
  const rest = new Map(Object.entries({ ...input }))
  const take = (name: string): unknown => {
    const value = rest.get(name) ?? ''
    rest.delete(name)
    return value
  }
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const member = escaped(name, take(name))
    // An empty member, `.` or `..` would change the path.
    if (/^\.{0,2}$/.test(member)) throw refusedInput(name, 'cannot be sent')
    return member
  })
  const headers: Record<string, string> = { accept: 'application/json', 'Countersign-Extended': '1' }
  for (const [member, header] of Object.entries(row.headers ?? {})) {
    const value = headerValue(member, take(member))
    if (value !== '') headers[header] = value
  }
  if (row.method === 'GET' || row.method === 'DELETE') return { row, path: path + queryOf(rest), headers }
  headers['content-type'] = 'application/json'
  for (const [name, value] of rest) write(name, value, JSON.stringify)
  return { row, path, headers, body: JSON.stringify(Object.fromEntries(rest)) }
}
