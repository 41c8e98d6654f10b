import type { ClientBase, Connection, Submittable } from 'pg'
import { type Column, preparedOn } from './prepared.ts'

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  /** Texts, numbers and `null`. */
  readonly values: readonly unknown[]
  /** By which the server keeps it prepared on this connection, of this text and no other; without one it is sent whole. */
  readonly name?: string | undefined
}

export interface Answer {
  /** `SELECT`, `UPDATE` and the like. */
  readonly command: string
  /** How many rows it read or wrote. */
  readonly rowCount: number
  readonly rows: readonly unknown[]
}

export interface Answers {
  /** Of the statements that were done, in order: of all of them, unless one failed. */
  readonly answers: readonly Answer[]
  /** What the next one failed with. Those behind it were not executed. */
  readonly failure?: { readonly error: unknown }
}

/** What the driver calls on a query as its messages arrive; it takes any object that has these. */
interface Sending extends Submittable {
  readonly query_timeout: number | undefined
  callback(error: Error | null): void
  handleRowDescription(message: { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

const toText = (value: unknown): string | null => {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new TypeError('A statement was given something else than texts and numbers')
}

/** `UPDATE 1`, `INSERT 0 1`, `COMMIT`: see CommandComplete in PostgreSQL's message formats. */
const readTag = (tag: string): Pick<Answer, 'command' | 'rowCount'> => {
  const [command = '', ...counts] = tag.split(' ')
  return { command, rowCount: Number(counts.at(-1) ?? 0) }
}

const readRow = (columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> => {
  const row: Record<string, unknown> = {}
  for (const [index, { name, read }] of columns.entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : read(text)
  }
  return row
}

/**
 * Sends statements in one piece, and reads their answers. They are done in order, as one where they are no part of a
 * transaction that is open, and up to the first that fails.
 *
 * A statement that has a name is prepared, and asked for its columns, only once on each connection.
 *
 * @param timeout Milliseconds for all of it; as long as it takes where it is left out
 */
export const sendTogether = async (client: ClientBase, statements: readonly Statement[], timeout?: number): Promise<Answers> => {
  const prepared = preparedOn(client)
  const sent = statements.map(({ text, name, values }) => ({ text, name, values: values.map(toText) }))
  const answers: Answer[] = []
  let described: readonly Column[] | undefined
  let rows: unknown[] = []
  let unreadable: unknown

  /** Of the statement whose answer is arriving. */
  const columnsNow = (): readonly Column[] => {
    const name = sent[answers.length]?.name
    const kept = name === undefined ? undefined : prepared.get(name)
    return described ?? (kept === undefined || kept === 'unsure' ? [] : kept)
  }

  const write = (connection: Connection): void => {
    const announced = new Set<string>()
    for (const { text, name = '', values } of sent) {
      const kept = prepared.get(name)
      const isNew = (kept === undefined || kept === 'unsure') && !announced.has(name)
      if (isNew) {
        // One that failed on its way may be there all the same. Closing what is not there does nothing.
        if (kept === 'unsure') connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
        if (name !== '') {
          prepared.set(name, 'unsure')
          announced.add(name)
        }
      }
      connection.bind({ statement: name, values }, true)
      if (isNew) connection.describe({ type: 'P' }, true)
      connection.execute({}, true)
    }
    connection.sync()
  }

  return new Promise((resolve) => {
    const sending: Sending = {
      query_timeout: timeout,
      submit: (connection) => {
        connection.stream.cork()
        write(connection)
        connection.stream.uncork()
      },
      handleRowDescription: ({ fields }) => {
        described = fields.map(({ name, dataTypeID }) => ({
          name,
          read: client.getTypeParser(dataTypeID, 'text') as Column['read'],
        }))
      },
      handleDataRow: ({ fields }) => {
        try {
          rows.push(readRow(columnsNow(), fields))
        } catch (error) {
          unreadable ??= error
        }
      },
      handleCommandComplete: ({ text }) => {
        const name = sent[answers.length]?.name
        if (name !== undefined) prepared.set(name, columnsNow())
        answers.push({ ...readTag(text), rows })
        described = undefined
        rows = []
      },
      handleReadyForQuery: () => sending.callback(null),
      handleError: (error) => sending.callback(error),
      // The driver puts its own in the place of this one, which ends its timer; so it is called by way of the object.
      callback: (error) => {
        resolve(error === null && unreadable === undefined ? { answers } : { answers, failure: { error: error ?? unreadable } })
      },
    }
    client.query(sending)
  })
}
