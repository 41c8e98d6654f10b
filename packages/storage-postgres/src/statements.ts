import pg from 'pg'

/** A statement as the driver takes it. */
export interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly name?: string
  readonly query_timeout?: number
}

/** The stores count on it: each statement sees what was committed before it, whatever the database's default is. */
const BEGIN = 'start transaction isolation level read committed'

/** The names of the statements that a connection has prepared. */
const prepared = new WeakMap<pg.ClientBase, Set<string>>()

const notePrepared = (client: pg.ClientBase, name: string): void => {
  const names = prepared.get(client)
  if (names === undefined) prepared.set(client, new Set([name]))
  else names.add(name)
}

export const queryOn = async (client: pg.ClientBase, statement: Statement): Promise<pg.QueryResult> => {
  const result = await client.query(statement)
  if (statement.name !== undefined) notePrepared(client, statement.name)
  return result
}

/**
 * Begins a transaction and runs its first statement in it; where the server has that prepared, both are sent at once. There
 * is one Sync behind them, so where the first of them fails the server skips the second (PostgreSQL, "Pipelining"): no
 * statement is ever run outside of its transaction.
 */
export const beginWith = async (client: pg.ClientBase, statement: Statement): Promise<pg.QueryResult> => {
  const { name } = statement
  if (name !== undefined && prepared.get(client)?.has(name)) return sendBehind(client, BEGIN, statement)
  await client.query({ ...statement, text: BEGIN, values: [], name: undefined })
  return queryOn(client, statement)
}

/** What the driver gives for several statements: a result of each. */
type Results = pg.QueryResult | readonly pg.QueryResult[]

const sendBehind = (client: pg.ClientBase, command: string, statement: Statement): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query(statement, (error: Error | undefined, results: unknown) => {
      if (error) return reject(error)
      const last = [results as Results].flat().at(-1)
      if (last === undefined) return reject(new Error('The database answered nothing'))
      resolve(last)
    })
    const submit = query.submit.bind(query)
    query.submit = (connection) => {
      connection.stream.cork()
      try {
        connection.parse({ name: '', text: command, types: [] }, true)
        connection.bind({}, true)
        connection.execute(null, true)
        return submit(connection)
      } finally {
        connection.stream.uncork()
      }
    }
    client.query(Object.assign(query, { query_timeout: statement.query_timeout }))
  })
