import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'

/** An entry of the registry. */
export interface ProductSchema {
  /** `product_schema:<type>:v<version>`; unique. */
  readonly key: string
  readonly type: string
  /** `major.minor.patch` */
  readonly version: string
  readonly title: string
  /** Of the active versions of a type the newest applies. */
  readonly active: boolean
  /** The top-level `required` of the schema. */
  readonly requiredFields: readonly string[]
  readonly registeredAt: Instant
}

/** An entry with its schema: the JSON text of a draft-07 schema, which never changes. */
export interface ProductSchemaWithText extends ProductSchema {
  readonly schemaText: string
}

/** The registry as it is listed: `version` is a whole number that rises with every change. */
export interface ProductSchemaRegistry {
  readonly version: number
  /** By type, then from the oldest to the newest version. */
  readonly schemas: readonly ProductSchema[]
}

/** What a version of a product type's schema is called by. */
export const productSchemaKey = (type: string, version: string): string => `product_schema:${type}:v${version}`

/** @throws Invalid */
export const checkedProductType = (type: string): string => {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(type)) {
    throw new Invalid({ type: 'must be 1 to 64 of a-z, 0-9, underscore and hyphen, and begin with a letter' })
  }
  return type
}
