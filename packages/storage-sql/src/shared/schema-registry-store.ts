import type { SchemaEntry, SchemaEntryWithText, SchemaRegistryStore } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { ProductSchemasTable } from '../tables/index.ts'
import { type Database, didWrite, readAll, readFirst } from './database.ts'
import type { DialectFeatures } from './dialect-features.ts'
import { parseTexts, recordMapping } from './record-mapping.ts'

const mapping = recordMapping('key type version title active requiredFields registeredAt')
const entryColumns = mapping.columns

const toEntry = (row: Pick<Selectable<ProductSchemasTable>, (typeof entryColumns)[number]>): SchemaEntry => ({
  ...mapping.toRecord(row),
  active: row.active === 1,
  requiredFields: parseTexts(row.required_fields),
})

/** The tables of a registry, and the texts of its entries. */
export interface RegistryTables<T extends SchemaEntryWithText> {
  readonly entries: 'product_schemas' | 'action_types'
  readonly registry: 'product_schema_registry' | 'action_type_registry'
  /** The columns of the texts, by member. */
  readonly texts: Readonly<Record<Exclude<keyof T, keyof SchemaEntry> & string, string>>
}

/** The registry of versioned schemas in two tables: the entries, and one row with the version of the registry. */
export const schemaRegistryStore = <T extends SchemaEntryWithText>(
  database: Database,
  { lockForUpdate }: DialectFeatures,
  { entries, registry, texts }: RegistryTables<T>,
): SchemaRegistryStore<T> => {
  // The two kinds of tables differ only in the columns of the texts, so the types of one kind are used for both.
  const entriesTable = entries as 'product_schemas'
  const registryTable = registry as 'product_schema_registry'
  const textColumns = Object.values<string>(texts) as 'schema_text'[]
  const allColumns = [...entryColumns, ...textColumns]

  const toEntryWithText = (row: Selectable<ProductSchemasTable>): T => {
    const columns = row as unknown as Readonly<Record<string, string>>
    const members = Object.entries<string>(texts).map(([member, column]) => [member, columns[column]])
    return { ...toEntry(row), ...Object.fromEntries(members) } as T
  }

  const textsOf = (entry: T): Readonly<Record<'schema_text', string>> => {
    const members = entry as unknown as Readonly<Record<string, string>>
    return Object.fromEntries(Object.entries<string>(texts).map(([member, column]) => [column, members[member]])) as never
  }

  const readVersion = async (part: Database): Promise<number> => {
    const { version } = await part.read((db) => db.selectFrom(registryTable).select('version').executeTakeFirstOrThrow())
    return version
  }

  /** Reads schemas and the registry version consistently: repeats both if the version changed meanwhile. */
  const ofOneMoment = async <T>(readSchemas: () => Promise<readonly T[]>) => {
    for (;;) {
      const version = await readVersion(database)
      const schemas = await readSchemas()
      if ((await readVersion(database)) === version) return { version, schemas }
    }
  }

  const raiseVersion = (tx: Database) =>
    tx.write((db) =>
      db
        .updateTable(registryTable)
        .set((the) => ({ version: the('version', '+', 1) }))
        .execute(),
    )

  return {
    registryVersion: () => readVersion(database),

    hold: async () => {
      await database.read((db) => lockForUpdate(db.selectFrom(registryTable).select('version')).execute())
    },

    registry: () =>
      ofOneMoment(() => readAll(database, toEntry, (db) => db.selectFrom(entriesTable).select(entryColumns).execute())),

    active: () =>
      ofOneMoment(() =>
        readAll(database, toEntryWithText, (db) =>
          db.selectFrom(entriesTable).select(allColumns).where('active', '=', 1).execute(),
        ),
      ),

    byKey: (key) =>
      readFirst(database, toEntryWithText, (db) =>
        db.selectFrom(entriesTable).select(allColumns).where('key', '=', key).executeTakeFirst(),
      ),

    register: (entry) =>
      database.transaction(async (tx) => {
        const added = await tx.write((db) =>
          db
            .insertInto(entriesTable)
            .values({
              ...mapping.toRow<SchemaEntry>(entry),
              active: entry.active ? 1 : 0,
              required_fields: JSON.stringify(entry.requiredFields),
              ...textsOf(entry),
            })
            .onConflict((conflict) => conflict.column('key').doNothing())
            .returning('key')
            .executeTakeFirst(),
        )
        if (added === undefined) return false
        await raiseVersion(tx)
        return true
      }),

    setActive: (key, active) =>
      database.transaction(async (tx) => {
        const changed = await didWrite(tx, (db) =>
          db
            .updateTable(entriesTable)
            .set({ active: active ? 1 : 0 })
            .where('key', '=', key)
            .where('active', '=', active ? 0 : 1),
        )
        if (changed) await raiseVersion(tx)
        return readFirst(tx, toEntry, (db) =>
          db.selectFrom(entriesTable).select(entryColumns).where('key', '=', key).executeTakeFirst(),
        )
      }),
  }
}
