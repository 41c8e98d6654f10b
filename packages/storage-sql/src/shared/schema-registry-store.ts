import type { SchemaEntryWithText, SchemaRegistryStore } from '@countersign/core/storage'
import type { Row } from '../tables/index.ts'
import { type Database, didWrite, readAll, readFirst } from './database.ts'
import { recordMapping } from './record-mapping.ts'

const words = 'key type version title active:flag requiredFields:texts registeredAt'

const { columns: entryColumns, toRecord: toEntry } = recordMapping('product_schemas', words)

export interface RegistryTables {
  readonly entries: 'product_schemas' | 'action_types'
  readonly registry: 'product_schema_registry' | 'action_type_registry'
  /** The members with texts, as words of `recordMapping`. */
  readonly texts: 'schemaText' | 'schemaText displayText'
}

/** The registry of versioned schemas in two tables: the entries, and one row with the version of the registry. */
export const schemaRegistryStore = <T extends SchemaEntryWithText>(
  database: Database,
  { entries, registry, texts }: RegistryTables,
): SchemaRegistryStore<T> => {
  // The two kinds of tables differ only in the columns of the texts, so the types of one kind are used for both.
  const entriesTable = entries as 'product_schemas'
  const registryTable = registry as 'product_schema_registry'
  const { columns: allColumns, toRecord, toRow } = recordMapping(entriesTable, words, texts as 'schemaText')
  const toEntryWithText = toRecord as unknown as (row: Row<'product_schemas'>) => T

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
    tx.write((db) => db.updateTable(registryTable).set((the) => ({ version: the('version', '+', 1) })))

  return {
    registryVersion: () => readVersion(database),

    hold: async () => {
      await database.read((db) => database.locks.lockForUpdate(db.selectFrom(registryTable).select('version')))
    },

    registry: () => ofOneMoment(() => readAll(database, toEntry, (db) => db.selectFrom(entriesTable).select(entryColumns))),

    active: () =>
      ofOneMoment(() =>
        readAll(database, toEntryWithText, (db) => db.selectFrom(entriesTable).select(allColumns).where('active', '=', 1)),
      ),

    byKey: (key) =>
      readFirst(database, toEntryWithText, (db) => db.selectFrom(entriesTable).select(allColumns).where('key', '=', key)),

    register: (entry) =>
      database.transaction(async (tx) => {
        const [added] = await tx.write((db) =>
          db
            .insertInto(entriesTable)
            .values(toRow(entry))
            .onConflict((conflict) => conflict.column('key').doNothing())
            .returning('key'),
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
        return readFirst(tx, toEntry, (db) => db.selectFrom(entriesTable).select(entryColumns).where('key', '=', key))
      }),
  }
}
