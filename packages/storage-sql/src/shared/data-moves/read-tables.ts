import type { StoredColumn, StoredTable } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables/index.ts'
import type { ColumnFact, DataMoveFeatures } from '../dialect-features.ts'

/** The column types that the migrations use. */
const kinds: Readonly<Record<string, StoredColumn['kind']>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'integer',
  'double precision': 'number',
}

const toColumn = ({ table, name, type }: ColumnFact): StoredColumn => {
  const kind = kinds[type]
  if (kind === undefined) throw new Error(`The column ${table}.${name} is of a type that is not moved: ${type}`)
  return { name, kind }
}

const byName = (one: ColumnFact, other: ColumnFact): number => (one.name < other.name ? -1 : 1)

const toTable = (name: string, facts: readonly ColumnFact[]): StoredTable => {
  const own = facts.filter(({ table }) => table === name).toSorted(byName)
  const key = own.filter(({ place }) => place > 0).toSorted((one, other) => one.place - other.place)
  if (key.length === 0) throw new Error(`There is no table ${name} with a primary key`)
  return {
    name,
    columns: own.map(toColumn),
    key: key.map((fact) => fact.name),
    counted: own.find(({ counted }) => counted === 1)?.name,
  }
}

/** Reads the named tables from the catalog. Each table comes after the tables that it refers to. */
export const readTables = async (
  db: Kysely<Tables>,
  features: DataMoveFeatures,
  names: readonly string[],
): Promise<readonly StoredTable[]> => {
  const facts = await features.columns(db)
  const references = await features.references(db)
  const ordered = new Set<string>()
  const place = (name: string): void => {
    if (ordered.has(name)) return
    for (const { table, referred } of references) if (table === name && referred !== name) place(referred)
    ordered.add(name)
  }
  names.forEach(place)
  return [...ordered].map((name) => toTable(name, facts))
}
