import { listVersions } from '../../shared/schema-registry/read-versions.ts'
import type { Transactional } from '../../shared/transactional.ts'
import { ProductSchemaNotFound } from './errors.ts'
import { type ProductSchemaRegistry, type ProductSchemaStores, productSchemaRegistry } from './product-schema.ts'
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
