import { listVersions } from '../../shared/schema-registry/read-versions.ts'
import type { ProjectDeps } from '../deps.ts'
import { ProductSchemaNotFound } from './errors.ts'
import { type ProductSchemaRegistry, productSchemaRegistry } from './product-schema.ts'

/** Returns all versions of one type. @throws ProductSchemaNotFound if the type has none */
export async function listProductSchemasOfType(
  deps: Pick<ProjectDeps, 'storage'>,
  input: { readonly type: string },
): Promise<ProductSchemaRegistry> {
  const { version, schemas } = await listVersions(productSchemaRegistry, deps)
  const ofType = schemas.filter(({ type }) => type === input.type)
  if (ofType.length === 0) throw new ProductSchemaNotFound()
  return { version, schemas: ofType }
}
