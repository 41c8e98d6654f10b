import { setImmediate } from 'node:timers/promises'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { ListMemory } from './list-memory.ts'

/** Rows that one statement of a count looks at, so that nobody waits for a whole table. */
const CHUNK = 20_000

const countWhere = async (database: Database, condition: Expression<SqlBool>): Promise<number> => {
  const { rows } = await database.read((db) =>
    sql<{ total: number }>`select count(*) as total from projects where ${condition}`.execute(db),
  )
  return Number(rows[0]?.total ?? 0)
}

/** Counts without an index, in pieces between which others have their turn. */
const countInPieces = async (database: Database, condition: Expression<SqlBool>): Promise<number> => {
  const { rows } = await database.read((db) =>
    sql<{ newest: number | null }>`select max(seq) as newest from projects`.execute(db),
  )
  const newest = Number(rows[0]?.newest ?? 0)
  let total = 0
  for (let after = 0; after < newest; after += CHUNK) {
    total += await countWhere(database, sql`${condition} and seq > ${after} and seq <= ${after + CHUNK}`)
    await setImmediate()
  }
  return total
}

/**
 * How many projects a search matches, exactly; remembered until the lists change.
 *
 * @param search.key Names the search: its filters and its needle.
 * @param search.indexed Whether the condition is answered by an index.
 */
export const searchTotal = async (
  database: Database,
  memory: ListMemory,
  version: number,
  search: { readonly key: string; readonly condition: Expression<SqlBool>; readonly indexed: boolean },
): Promise<number> => {
  const known = memory.totals.get(search.key)
  if (known?.version === version) return known.total
  const total = await (search.indexed ? countWhere : countInPieces)(database, search.condition)
  memory.totals.set(search.key, { version, total })
  return total
}
