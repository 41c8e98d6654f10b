import type { Kysely } from 'kysely'
import type { Flavour } from '../shared/dialect-features.ts'

/** From here on, the database itself tells of every row of `changes` where processes cannot see it by themselves. */
export const changesTold =
  ({ tellChanges }: Flavour) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await tellChanges(db)
  }
