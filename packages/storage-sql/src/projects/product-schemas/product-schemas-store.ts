import type { ProductSchema, ProductSchemaStore, ProductSchemaWithText } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { parseTexts } from '../../shared/json-texts.ts'
import type { ProductSchemasTable } from '../../tables/index.ts'

const entryColumns = ['key', 'type', 'version', 'title', 'active', 'required_fields', 'registered_at'] as const
const allColumns = [...entryColumns, 'schema_text'] as const

const toSchema = (row: Pick<Selectable<ProductSchemasTable>, (typeof entryColumns)[number]>): ProductSchema => ({
  key: row.key,
  type: row.type,
  version: row.version,
  title: row.title,
  active: row.active === 1,
  requiredFields: parseTexts(row.required_fields),
  registeredAt: row.registered_at,
})

const toSchemaWithText = (row: Selectable<ProductSchemasTable>): ProductSchemaWithText => ({
  ...toSchema(row),
  schemaText: row.schema_text,
})

export const productSchemasStore = (database: Database, { lockForUpdate }: DialectFeatures): ProductSchemaStore => {
  const readVersion = async (part: Database): Promise<number> => {
    const { version } = await part.read((db) =>
      db.selectFrom('product_schema_registry').select('version').executeTakeFirstOrThrow(),
    )
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
        .updateTable('product_schema_registry')
        .set((the) => ({ version: the('version', '+', 1) }))
        .execute(),
    )

  return {
    registryVersion: () => readVersion(database),

    hold: async () => {
      await database.read((db) => lockForUpdate(db.selectFrom('product_schema_registry').select('version')).execute())
    },

    registry: () =>
      ofOneMoment(async () => {
        const rows = await database.read((db) => db.selectFrom('product_schemas').select(entryColumns).execute())
        return rows.map(toSchema)
      }),

    active: () =>
      ofOneMoment(async () => {
        const rows = await database.read((db) =>
          db.selectFrom('product_schemas').select(allColumns).where('active', '=', 1).execute(),
        )
        return rows.map(toSchemaWithText)
      }),

    byKey: async (key) => {
      const row = await database.read((db) =>
        db.selectFrom('product_schemas').select(allColumns).where('key', '=', key).executeTakeFirst(),
      )
      return row && toSchemaWithText(row)
    },

    register: (schema) =>
      database.transaction(async (tx) => {
        const added = await tx.write((db) =>
          db
            .insertInto('product_schemas')
            .values({
              key: schema.key,
              type: schema.type,
              version: schema.version,
              title: schema.title,
              active: schema.active ? 1 : 0,
              required_fields: JSON.stringify(schema.requiredFields),
              registered_at: schema.registeredAt,
              schema_text: schema.schemaText,
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
        const { numUpdatedRows } = await tx.write((db) =>
          db
            .updateTable('product_schemas')
            .set({ active: active ? 1 : 0 })
            .where('key', '=', key)
            .where('active', '=', active ? 0 : 1)
            .executeTakeFirstOrThrow(),
        )
        if (numUpdatedRows > 0n) await raiseVersion(tx)
        const row = await tx.read((db) =>
          db.selectFrom('product_schemas').select(entryColumns).where('key', '=', key).executeTakeFirst(),
        )
        return row && toSchema(row)
      }),
  }
}
