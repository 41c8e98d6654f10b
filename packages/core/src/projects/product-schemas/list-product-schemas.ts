import { compareSchemaVersions } from '../../shared/schema-registry/schema-version.ts'
import type { ProjectDeps } from '../deps.ts'
import { ProductSchemaNotFound } from './errors.ts'
import type { ProductSchema, ProductSchemaRegistry } from './product-schema.ts'

/** Returns all versions of all types. */
export async function listProductSchemas({ storage }: Pick<ProjectDeps, 'storage'>): Promise<ProductSchemaRegistry> {
  const { version, schemas } = await storage.projects.productSchemas.registry()
  return { version, schemas: [...schemas].sort(byTypeAndVersion) }
}

/** Returns all versions of one type. @throws ProductSchemaNotFound if the type has none */
export async function listProductSchemasOfType(
  deps: Pick<ProjectDeps, 'storage'>,
  input: { readonly type: string },
): Promise<ProductSchemaRegistry> {
  const { version, schemas } = await listProductSchemas(deps)
  const ofType = schemas.filter(({ type }) => type === input.type)
  if (ofType.length === 0) throw new ProductSchemaNotFound()
  return { version, schemas: ofType }
}

const byTypeAndVersion = (a: ProductSchema, b: ProductSchema): number => {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1
  return compareSchemaVersions(a.version, b.version)
}
