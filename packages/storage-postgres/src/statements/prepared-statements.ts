import type { ClientBase } from 'pg'

/** A column of an answer, and the function that reads its texts. */
export interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/**
 * The prepared statements of one connection, by name, with the columns of their answers. `unsure` means that the statement
 * was sent, but that no answer has confirmed it.
 */
export type PreparedStatements = Map<string, readonly Column[] | 'unsure'>

const byClient = new WeakMap<ClientBase, PreparedStatements>()

/** Returns the prepared statements of a connection. */
export const preparedStatementsOf = (client: ClientBase): PreparedStatements => {
  const known = byClient.get(client)
  if (known !== undefined) return known
  const statements: PreparedStatements = new Map()
  byClient.set(client, statements)
  return statements
}
