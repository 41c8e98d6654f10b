import type { Kysely } from 'kysely'
import type { Flavour } from '../shared/dialect-features.ts'

/** The index of searches without what no search asks of it. */
export const slimSearch =
  ({ search }: Flavour) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await search.slim(db)
  }
