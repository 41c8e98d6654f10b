import type { ProjectDeps } from '../deps.ts'
import { ProductSchemaNotFound } from './errors.ts'
import type { ProductSchemaWithText } from './product-schema.ts'

/** Returns a registered version with its schema. @throws ProductSchemaNotFound */
export async function showProductSchema(
  { storage }: Pick<ProjectDeps, 'storage'>,
  input: { readonly key: string },
): Promise<ProductSchemaWithText> {
  const schema = await storage.projects.productSchemas.byKey(input.key)
  if (schema === undefined) throw new ProductSchemaNotFound()
  return schema
}
