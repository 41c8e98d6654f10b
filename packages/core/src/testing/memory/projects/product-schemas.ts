import type { ProductSchema, ProductSchemaWithText } from '../../../projects/product-schemas/product-schema.ts'
import type { ProductSchemaStore } from '../../../projects/product-schemas/store.ts'
import { insert, type Run } from '../tables.ts'

const toEntry = ({ schemaText: _, ...entry }: ProductSchemaWithText): ProductSchema => entry

export const memoryProductSchemas = (run: Run): ProductSchemaStore => ({
  registryVersion: () => run((tables) => tables.registryVersion),
  // Nothing to lock: transactions run one after another.
  hold: () => run(() => {}),
  registry: () =>
    run((tables) => ({ version: tables.registryVersion, schemas: [...tables.productSchemas.values()].map(toEntry) })),
  active: () =>
    run((tables) => ({
      version: tables.registryVersion,
      schemas: [...tables.productSchemas.values()].filter(({ active }) => active),
    })),
  byKey: (key) => run(({ productSchemas }) => productSchemas.get(key)),
  register: (schema) =>
    run((tables) => {
      if (tables.productSchemas.has(schema.key)) return false
      insert(tables.productSchemas, schema.key, schema)
      tables.registryVersion += 1
      return true
    }),
  setActive: (key, active) =>
    run((tables) => {
      const schema = tables.productSchemas.get(key)
      if (schema === undefined) return undefined
      if (schema.active !== active) {
        tables.productSchemas.set(key, { ...schema, active })
        tables.registryVersion += 1
      }
      return toEntry({ ...schema, active })
    }),
})
