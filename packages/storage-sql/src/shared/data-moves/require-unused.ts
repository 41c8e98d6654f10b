import { DataMoveRefused, type StoredRow, type StoredTable } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import { seeds } from '../../migrations/index.ts'
import type { Tables } from '../../tables/index.ts'
import type { DialectFeatures } from '../dialect-features.ts'
import { addRows, emptyDigest, isSameDigest } from './digest.ts'
import { openSnapshot } from './open-snapshot.ts'

/** Returns the rows that the migrations inserted into a table, in the form of a data move. */
const seededRows = ({ name, columns }: StoredTable): readonly StoredRow[] => {
  const rows = seeds[name] ?? []
  return rows.map((row) => {
    const values = new Map<string, unknown>(Object.entries(row))
    return columns.map((column) =>
      column.kind === 'integer' ? String(values.get(column.name)) : (values.get(column.name) as string),
    )
  })
}

/** @throws DataMoveRefused if the tables hold other rows than the rows of the migrations, so that the database is in use */
export const requireUnused = async (
  tx: Kysely<Tables>,
  features: DialectFeatures,
  tables: readonly StoredTable[],
): Promise<void> => {
  const snapshot = await openSnapshot(tx, features)
  const used: string[] = []
  for (const table of tables) {
    const seeded = seededRows(table)
    const found = await snapshot.rowsAfter(table, undefined, seeded.length + 1)
    if (!isSameDigest(addRows(emptyDigest, found), addRows(emptyDigest, seeded))) used.push(table.name)
  }
  if (used.length > 0)
    throw new DataMoveRefused(`The target holds other data already (${used.join(', ')}); a move takes an empty database`)
}
