import type { ClientBase } from 'pg'

/** A column of an answer, and how its texts are read. */
export interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/**
 * What is known of the statements that were prepared on a connection, by name: the columns of their answers; `unsure` where
 * it was not heard whether the server has it.
 */
export type Prepared = Map<string, readonly Column[] | 'unsure'>

const known = new WeakMap<ClientBase, Prepared>()

export const preparedOn = (client: ClientBase): Prepared => {
  const there = known.get(client)
  if (there !== undefined) return there
  const prepared: Prepared = new Map()
  known.set(client, prepared)
  return prepared
}
