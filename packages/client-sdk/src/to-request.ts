import type { Operation } from '@countersign/contract/operations'

/** An operation's input, laid out as its request. */
export interface RequestLayout {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, where the operation has a body. */
  readonly body: string | undefined
}

const queryOf = (members: ReadonlyMap<string, unknown>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of members) {
    if (value === undefined) continue
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item))
    else query.append(name, String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/** Lays an input out as the operation's row says: members of the path, headers, and the rest as query or JSON body. */
export const toRequest = (operation: Operation, input: Readonly<Record<string, unknown>>): RequestLayout => {
  const rest = new Map(Object.entries(input))
  const take = (name: string): unknown => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(take(name))))
  const headers: Record<string, string> = { accept: 'application/json' }
  for (const [member, header] of Object.entries(operation.headers ?? {})) headers[header] = String(take(member))
  if (operation.method === 'GET' || operation.method === 'DELETE') return { path: path + queryOf(rest), headers, body: undefined }
  headers['content-type'] = 'application/json'
  return { path, headers, body: JSON.stringify(Object.fromEntries(rest)) }
}
