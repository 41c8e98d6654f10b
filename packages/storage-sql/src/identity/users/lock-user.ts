import type { Database } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'

/** Locks a user's row until the transaction ends. Whoever counts rows of a user before adding one takes this lock first. */
export const lockUserRow = preparedQuery((db, { id }: { readonly id: number }, { lockForUpdate }) =>
  lockForUpdate(db.selectFrom('users').select('id').where('id', '=', id)),
)

export const lockUser = async (tx: Database, userId: number): Promise<void> => {
  await lockUserRow.all(tx, { id: userId })
}
