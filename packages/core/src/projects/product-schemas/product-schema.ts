import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'

/** A registered version of a product type's schema. */
export interface ProductSchema {
  /** `product_schema:<type>:v<version>`; unique. */
  readonly key: string
  readonly type: string
  /** `major.minor.patch` */
  readonly version: string
  readonly title: string
  /** New products are checked against the newest active version of their type. */
  readonly active: boolean
  /** The top-level `required` of the schema. */
  readonly requiredFields: readonly string[]
  readonly registeredAt: Instant
}

/** A registered version with the JSON text of its draft-07 schema, which never changes. */
export interface ProductSchemaWithText extends ProductSchema {
  readonly schemaText: string
}

/** The list of registered versions. `version` is an integer that rises with every change of the registry. */
export interface ProductSchemaRegistry {
  readonly version: number
  /** Sorted by type, then from the oldest to the newest version. */
  readonly schemas: readonly ProductSchema[]
}

/** Returns the key of a version. */
export const productSchemaKey = (type: string, version: string): string => `product_schema:${type}:v${version}`

/** Returns the type. @throws Invalid */
export const checkedProductType = (type: string): string => {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(type)) {
    throw new Invalid({ type: 'must be 1 to 64 of a-z, 0-9, underscore and hyphen, and begin with a letter' })
  }
  return type
}
