import type { StatedClient } from './from.ts'

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
