import type { Database } from '../../shared/database.ts'
import type { Flavour } from '../../shared/dialect-features.ts'
import { keptQuery } from '../../shared/prepared-query.ts'

/**
 * Holds a user's row until the transaction ends. What counts rows of a user and then adds one takes it first, so that of any
 * number at once each counts what the one before added.
 */
export const holdUser = keptQuery((db, { id }: { readonly id: number }, { lockForUpdate }: Flavour) =>
  lockForUpdate(db.selectFrom('users').select('id').where('id', '=', id)),
)

/** See `holdUser`. */
export const lockUser = async (tx: Database, flavour: Flavour, userId: number): Promise<void> => {
  await tx.read((db) => holdUser.all(db, { id: userId }, flavour))
}
