import type { StatedClient } from './from.ts'

/** A `Transaction` of Knex on PostgreSQL. */
export interface KnexTransaction {
  readonly isTransaction?: boolean
  isCompleted(): boolean
  raw(
    sql: string,
    bindings: { readonly [name: string]: string | number | null },
  ): PromiseLike<{ readonly rows: readonly unknown[] }>
}

/** Makes a client of the host from a transaction of Knex: `knex.transaction((trx) => … { client: fromKnex(trx) })`. */
export const fromKnex = <Tx extends KnexTransaction>(trx: Tx): StatedClient<Tx> => ({
  transaction: trx,
  query: async (text, values) => {
    // Knex has no `$1`: it takes values by name or by question mark. So each other question mark is escaped.
    const named = text.replaceAll('?', '\\?').replaceAll(/\$(\d+)/g, ':value$1')
    return trx.raw(named, Object.fromEntries(values.map((value, at) => [`value${at + 1}`, value])))
  },
  getTransactionStatus: () => (trx.isTransaction === true && !trx.isCompleted() ? 'T' : 'I'),
})
