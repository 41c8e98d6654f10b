import { CompiledQuery } from 'kysely'
import type { StatedClient } from './from.ts'

/** A `Transaction` of Kysely. */
export interface KyselyTransaction {
  readonly isTransaction: boolean
  executeQuery(query: never): Promise<{ readonly rows: readonly unknown[] }>
}

/** Makes a client of the host from a transaction of Kysely: `db.transaction().execute((trx) => … { client: fromKysely(trx) })`. */
export const fromKysely = <Tx extends KyselyTransaction>(trx: Tx): StatedClient<Tx> => ({
  transaction: trx,
  query: (text, values) => trx.executeQuery(CompiledQuery.raw(text, values) as never),
  getTransactionStatus: () => (trx.isTransaction ? 'T' : 'I'),
})
