import type { Kysely } from 'kysely'
import type { DialectFeatures } from '../shared/dialect-features.ts'

/** New projects wait, and are put into the index of searches together. */
export const gatheredSearch =
  ({ search }: DialectFeatures) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await search.gather(db)
  }
