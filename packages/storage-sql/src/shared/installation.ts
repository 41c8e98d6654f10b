import type { Part } from '@countersign/core'
import { allParts, type MigratedStorage } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { TablePlace } from './table-place.ts'

/** Records the applied migrations of a part. Each part has a table of its own, so that a part can be added later. */
export const recordTable = (part: Part): string => `migrations_${part}`

const readTables = (db: Kysely<Tables>) => db.introspection.getTables({ withInternalKyselyTables: true })

type FoundTables = Awaited<ReturnType<typeof readTables>>

const namesInPlace = (tables: FoundTables, place: TablePlace): readonly string[] =>
  tables.flatMap(({ name, schema }) => {
    if ('schema' in place) return schema === place.schema ? [name] : []
    return name.startsWith(place.prefix) ? [name.slice(place.prefix.length)] : []
  })

/** Returns the names of all tables in the place of ours, without the prefix. */
export const readTableNames = async (db: Kysely<Tables>, place: TablePlace): Promise<readonly string[]> =>
  namesInPlace(await readTables(db), place)

/** Returns the schemas or prefixes with the tables of migrations of both parts that every installation has. */
const placesOfInstallations = (tables: FoundTables, place: TablePlace): readonly string[] => {
  const placesOf = (part: Part): readonly string[] =>
    tables.flatMap(({ name, schema = '' }) => {
      if (!name.endsWith(recordTable(part))) return []
      if (!('schema' in place)) return [name.slice(0, -recordTable(part).length)]
      return name === recordTable(part) ? [schema] : []
    })
  const ofApprovals = placesOf('approvals')
  return placesOf('identity').filter((each) => ofApprovals.includes(each))
}

export const readInstallation = async (
  db: Kysely<Tables>,
  place: TablePlace,
): Promise<Awaited<ReturnType<MigratedStorage['installation']>>> => {
  const tables = await readTables(db)
  const present = namesInPlace(tables, place)
  const own = 'schema' in place ? place.schema : place.prefix
  return {
    parts: allParts.filter((part) => present.includes(recordTable(part))),
    elsewhere: placesOfInstallations(tables, place).filter((each) => each !== own),
  }
}
