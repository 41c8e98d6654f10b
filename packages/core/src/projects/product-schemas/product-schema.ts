import { listVersions, type RegisteredVersions } from '../../shared/schema-registry/read-versions.ts'
import type { NewVersion } from '../../shared/schema-registry/register-version.ts'
import type { Registry, SchemaRegistryStore } from '../../shared/schema-registry/registry.ts'
import { checkedType, type SchemaEntry, type SchemaEntryWithText } from '../../shared/schema-registry/schema-entry.ts'
import type { Transactional } from '../../shared/transactional.ts'
import { ProductSchemaBreaks, ProductSchemaNotFound, ProductSchemasChangedMeanwhile, ProductSchemaTaken } from './errors.ts'

/** A registered version of a product type's schema. Its key is `product_schema:<type>:v<version>`. */
export type ProductSchema = SchemaEntry

/** A registered version with the JSON text of its draft-07 schema, which never changes. */
export type ProductSchemaWithText = SchemaEntryWithText

/** The list of registered versions. */
export type ProductSchemaRegistry = RegisteredVersions

/** A new version of a product type's schema. */
export interface RegisterProductSchema extends NewVersion {
  /** The JSON text of a draft-07 schema. */
  readonly schemaText: string
}

/** The registry of product schemas. */
export type ProductSchemaStore = SchemaRegistryStore<ProductSchemaWithText>

/** Returns the key of a version. */
export const productSchemaKey = (type: string, version: string): string => `product_schema:${type}:v${version}`

export interface ProductSchemaStores {
  readonly projects: { readonly productSchemas: ProductSchemaStore }
}

/** The registry of product schemas. */
export const productSchemaRegistry: Registry<ProductSchemaStores, ProductSchemaWithText, 'schemaText'> = {
  definition: 'schemaText',
  store: ({ projects }) => projects.productSchemas,
  key: productSchemaKey,
  checkType: checkedType,
  read: (schemaText, engine) => ({ checked: engine.checkNewSchema(schemaText), texts: {} }),
  errors: {
    NotFound: ProductSchemaNotFound,
    Taken: ProductSchemaTaken,
    Breaks: ProductSchemaBreaks,
    ChangedMeanwhile: ProductSchemasChangedMeanwhile,
  },
}

/**
 * Returns all versions of one type. @throws ProductSchemaNotFound if the type has no versions
 * @example const { schemas } = await countersign.productSchemas.ofType({ type: 'door' })
 */
export async function listProductSchemasOfType(
  deps: { readonly storage: Transactional<ProductSchemaStores> },
  input: { readonly type: string },
): Promise<ProductSchemaRegistry> {
  const { version, schemas } = await listVersions(productSchemaRegistry, deps)
  const ofType = schemas.filter(({ type }) => type === input.type)
  if (ofType.length === 0) throw new ProductSchemaNotFound()
  return { version, schemas: ofType }
}
