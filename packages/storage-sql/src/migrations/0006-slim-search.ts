import type { Kysely } from 'kysely'
import type { DialectFeatures } from '../shared/dialect-features.ts'

/** The index of searches without what no search asks of it. */
export const slimSearch =
  ({ search }: DialectFeatures) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await search.slim(db)
  }
