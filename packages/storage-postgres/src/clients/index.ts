import type { HostClient } from '@countersign/core'
import { CompiledQuery } from 'kysely'

/** A client that was made from a transaction of the host's own library. */
export interface ClientOf<Tx> extends HostClient {
  readonly transaction?: Tx
}

/** A client that knows whether it is inside a transaction. */
export interface StatedClient<Tx = unknown> extends ClientOf<Tx> {
  /** Returns `I` outside of a transaction. Old versions of the driver `pg` lack the method. */
  getTransactionStatus?(): string | null
}

/**
 * Makes a client of the host from any query function that runs in the transaction of the host, which the first statement checks.
 * `query` runs one statement with the placeholders `$1`, `$2` and so on, and resolves with its rows: `from((text, values) =>
 * tx.unsafe(text, values))`. The host's `UserDirectory` gets `transaction` for its own queries.
 */
export const from = <Tx = unknown>(
  query: (text: string, values: (string | number | null)[]) => PromiseLike<readonly unknown[]>,
  transaction?: Tx,
): ClientOf<Tx> => ({
  query: async (text, values) => ({ rows: await query(text, values) }),
  ...(transaction !== undefined && { transaction }),
})

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

/** A `Client` or a `PoolClient` of the driver `pg`. A `Pool` lacks the second method. */
export interface PgClient extends StatedClient {
  getTypeParser(oid: number): unknown
}

/** Makes a client of the host from a client of the driver `pg`, on which the host ran `begin`. */
export const fromPg = (client: PgClient): StatedClient => client

/** The `EntityManager` of a transaction of TypeORM. */
export interface TypeOrmManager {
  readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined
  query(text: string, values: (string | number | null)[]): Promise<readonly unknown[]>
}

/** Makes a client of the host from the manager of a transaction of TypeORM: `{ client: fromTypeOrm(manager) }`. */
export const fromTypeOrm = <Tx extends TypeOrmManager>(manager: Tx): StatedClient<Tx> => ({
  transaction: manager,
  query: async (text, values) => ({ rows: await manager.query(text, values) }),
  getTransactionStatus: () => (manager.queryRunner?.isTransactionActive === true ? 'T' : 'I'),
})
