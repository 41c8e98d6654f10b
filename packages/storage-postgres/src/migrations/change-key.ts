import type { ChangedKey } from '@countersign/storage-sql'
import type { Kysely } from 'kysely'

/** Replaces the constraint of a key. Other statements on the table wait until the index of the new key is there. */
export const changeKey = async (db: Kysely<unknown>, { table, name, kind, columns }: ChangedKey): Promise<void> => {
  await db.schema.alterTable(table).dropConstraint(name).execute()
  const altered = db.schema.alterTable(table)
  const added =
    kind === 'unique'
      ? altered.addUniqueConstraint(name, columns as never)
      : altered.addPrimaryKeyConstraint(name, columns as never)
  await added.execute()
}
