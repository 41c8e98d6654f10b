import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'

/** Locks a user's row until the transaction ends. Whoever counts rows of a user before adding one takes this lock first. */
export const lockUserRow = preparedQuery((db, { id }: { readonly id: number }, { lockForUpdate }: DialectFeatures) =>
  lockForUpdate(db.selectFrom('users').select('id').where('id', '=', id)),
)

/** See `lockUserRow`. */
export const lockUser = async (tx: Database, features: DialectFeatures, userId: number): Promise<void> => {
  await tx.read((db) => lockUserRow.all(db, { id: userId }, features))
}
