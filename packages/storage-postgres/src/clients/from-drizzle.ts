import { type ClientOf, from } from './from.ts'

/** A transaction of Drizzle, with any of its drivers for PostgreSQL. */
export interface DrizzleTransaction {
  execute(query: never): PromiseLike<unknown>
}

/** Makes a client of the host from a transaction of Drizzle: `db.transaction((tx) => … { client: fromDrizzle(tx) })`. */
export const fromDrizzle = <Tx extends DrizzleTransaction>(tx: Tx): ClientOf<Tx> =>
  from(async (sql, params) => {
    // Drizzle accepts any object with this method of its statements. Making a real statement would need its package.
    const statement = { getSQL: () => ({ toQuery: () => ({ sql, params }) }) }
    const answer = await tx.execute(statement as never)
    // Some drivers answer with an array of rows, and others with an object that has the rows.
    return Array.isArray(answer) ? answer : (answer as { rows: readonly unknown[] }).rows
  }, tx)
