import type { Kysely } from 'kysely'
import type { DialectFeatures } from '../shared/dialect-features.ts'

/** From here on, the database itself tells of every row of `changes` where processes cannot see it by themselves. */
export const changesTold =
  ({ notifyChanges }: DialectFeatures) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await notifyChanges(db)
  }
