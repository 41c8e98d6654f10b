import type { ClientBase, Connection, Submittable } from 'pg'
import { valueTypes } from '../value-types.ts'
import type { TellStatement } from './observe-statements.ts'

/*
 * Sends several statements to PostgreSQL in one network write, by the driver's interface for custom queries (`Submittable`) and the
 * extended query protocol: Parse and Describe for a new statement, Bind and Execute for each, and one Sync after the last. Because
 * of the one Sync, the statements run in order in one implicit transaction, and a failure skips the rest. ADR 0021 explains why
 * this is not the pipeline mode of the driver, and ADR 0019 when statements are prepared by name.
 */

export interface Statement {
  readonly text: string
  /** Strings, numbers and `null`. */
  readonly values: readonly unknown[]
  /** The name of the prepared statement. One name always has the same text. Without a name the whole text is sent each time. */
  readonly name?: string | undefined
  /** Is called with the time of the statement, counted from the answer to the statement before it. */
  readonly tell?: TellStatement | undefined
}

export interface Answer {
  /** `SELECT`, `UPDATE` and so on. */
  readonly command: string
  readonly rowCount: number
  readonly rows: readonly unknown[]
}

export interface Answers {
  /** The answers of the executed statements, in order. Complete unless a statement failed. */
  readonly answers: readonly Answer[]
  /** The error of the first statement that failed. The statements after it were not executed. */
  readonly failure?: { readonly error: unknown }
}

/** The members that the driver calls on a custom query while messages of the server arrive. */
interface BatchQuery extends Submittable {
  readonly query_timeout: number | undefined
  callback(error: Error | null): void
  handleRowDescription(message: { readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[] }): void
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

/** A column of an answer, and the function that reads its texts. */
interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

/** The prepared statements of a connection with the columns of their answers; `unsure` until an answer has confirmed them. */
type PreparedStatements = Map<string, readonly Column[] | 'unsure'>

const byClient = new WeakMap<ClientBase, PreparedStatements>()

const preparedStatementsOf = (client: ClientBase): PreparedStatements => {
  const known = byClient.get(client)
  if (known !== undefined) return known
  const statements: PreparedStatements = new Map()
  byClient.set(client, statements)
  return statements
}

const toText = (value: unknown): string | null => {
  if (value === null || typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  throw new TypeError('The values of a statement must be strings, numbers or null')
}

/** Reads a command tag such as `UPDATE 1`, `INSERT 0 1` or `COMMIT` (PostgreSQL, "Message Formats", CommandComplete). */
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

/** Sends statements in one write, atomically. A named one is parsed once on each connection. `timeout` limits the batch. */
export const sendBatch = async (client: ClientBase, statements: readonly Statement[], timeout?: number): Promise<Answers> => {
  const prepared = preparedStatementsOf(client)
  const sent = statements.map(({ text, name, values }) => ({ text, name, values: values.map(toText) }))

  const write = (connection: Connection): void => {
    const parsedNow = new Set<string>()
    for (const { text, name = '', values } of sent) {
      const known = prepared.get(name)
      const mustParse = (known === undefined || known === 'unsure') && !parsedNow.has(name)
      if (mustParse) {
        // An unconfirmed statement may exist on the server. Closing a missing statement is no error.
        if (known === 'unsure') connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
        if (name !== '') {
          prepared.set(name, 'unsure')
          parsedNow.add(name)
        }
      }
      connection.bind({ statement: name, values }, true)
      if (mustParse) connection.describe({ type: 'P' }, true)
      connection.execute({}, true)
    }
    connection.sync()
  }

  const isObserved = statements.some(({ tell }) => tell !== undefined)
  let since = 0
  /** Reports the statement whose answer is complete to the observer. */
  const tell = (error?: unknown): void => {
    if (!isObserved) return
    const now = performance.now()
    statements[answers.length]?.tell?.(now - since, error)
    since = now
  }

  const answers: Answer[] = []
  let described: readonly Column[] | undefined
  let rows: unknown[] = []
  let unreadable: unknown

  const currentColumns = (): readonly Column[] => {
    const name = sent[answers.length]?.name
    const known = name === undefined ? undefined : prepared.get(name)
    return described ?? (known === undefined || known === 'unsure' ? [] : known)
  }

  return new Promise((resolve) => {
    const query: BatchQuery = {
      query_timeout: timeout,
      submit: (connection) => {
        if (isObserved) since = performance.now()
        connection.stream.cork()
        write(connection)
        connection.stream.uncork()
      },
      handleRowDescription: ({ fields }) => {
        described = fields.map(({ name, dataTypeID }) => ({
          name,
          read: valueTypes.getTypeParser(dataTypeID, 'text') as Column['read'],
        }))
      },
      handleDataRow: ({ fields }) => {
        try {
          rows.push(readRow(currentColumns(), fields))
        } catch (error) {
          unreadable ??= error
        }
      },
      handleCommandComplete: ({ text }) => {
        const name = sent[answers.length]?.name
        if (name !== undefined) prepared.set(name, currentColumns())
        tell()
        answers.push({ ...readTag(text), rows })
        described = undefined
        rows = []
      },
      handleReadyForQuery: () => query.callback(null),
      handleError: (error) => query.callback(error),
      // The driver replaces this property with a function that also stops its timeout, so the handlers call `query.callback`.
      callback: (error) => {
        if (error !== null) tell(error)
        resolve(error === null && unreadable === undefined ? { answers } : { answers, failure: { error: error ?? unreadable } })
      },
    }
    client.query(query)
  })
}
