import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'

/**
 * Holds a user's row until the transaction ends. What counts rows of a user and then adds one takes it first, so that of any
 * number at once each counts what the one before added.
 */
export const lockUserRow = preparedQuery((db, { id }: { readonly id: number }, { lockForUpdate }: DialectFeatures) =>
  lockForUpdate(db.selectFrom('users').select('id').where('id', '=', id)),
)

/** See `lockUserRow`. */
export const lockUser = async (tx: Database, features: DialectFeatures, userId: number): Promise<void> => {
  await tx.read((db) => lockUserRow.all(db, { id: userId }, features))
}
