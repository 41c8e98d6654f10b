import type { OperationRow } from './operation-row.ts'

/** An operation's input, laid out as its request. */
export interface RequestLayout {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, where the operation has a body. */
  readonly body: string | undefined
}

const pair = (name: string, value: unknown): string => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`

/** By hand: not every React Native has a whole `URLSearchParams`. */
const queryOf = (members: ReadonlyMap<string, unknown>): string => {
  const pairs = [...members].flatMap(([name, value]) => {
    if (value === undefined) return []
    return Array.isArray(value) ? value.map((item) => pair(`${name}[]`, item)) : [pair(name, value)]
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Lays an input out as the operation's row says: members of the path, headers, and the rest as query or JSON body. */
export const toRequest = (operation: OperationRow, input: Readonly<Record<string, unknown>>): RequestLayout => {
  const rest = new Map(Object.entries(input))
  const take = (name: string): string => {
    const value = rest.get(name)
    rest.delete(name)
    return String(value)
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(take(name)))
  const headers: Record<string, string> = { accept: 'application/json' }
  for (const [member, header] of Object.entries(operation.headers ?? {})) headers[header] = take(member)
  if (operation.method === 'GET' || operation.method === 'DELETE') return { path: path + queryOf(rest), headers, body: undefined }
  headers['content-type'] = 'application/json'
  return { path, headers, body: JSON.stringify(Object.fromEntries(rest)) }
}
