import type { SchemaEntry, SchemaEntryWithText } from '../../shared/schema-registry/schema-entry.ts'

/** A registered version of a product type's schema. Its key is `product_schema:<type>:v<version>`. */
export type ProductSchema = SchemaEntry

/** A registered version with the JSON text of its draft-07 schema, which never changes. */
export type ProductSchemaWithText = SchemaEntryWithText

/** The list of registered versions. `version` is an integer that rises with every change of the registry. */
export interface ProductSchemaRegistry {
  readonly version: number
  /** Sorted by type, then from the oldest to the newest version. */
  readonly schemas: readonly ProductSchema[]
}

/** Returns the key of a version. */
export const productSchemaKey = (type: string, version: string): string => `product_schema:${type}:v${version}`
