import { type Kysely, sql } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/** Folds `İ` like `i` in the texts of stored projects, as new projects do. The version before kept the dot as a mark of its own. */
export const foldDottedI =
  ({ changeSearchedTexts }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    const dotted = sql.lit('i\u0307')
    await changeSearchedTexts(db, {
      to: sql<string>`replace(searched_text, ${dotted}, 'i')`,
      where: sql`searched_text like ${sql.lit('%i\u0307%')}`,
    })
  }
