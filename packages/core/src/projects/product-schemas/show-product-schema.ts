import type { Deps } from '../../deps.ts'
import { ProductSchemaNotFound } from './errors.ts'
import type { ProductSchemaWithText } from './product-schema.ts'

/** One entry of the registry, with its schema. @throws ProductSchemaNotFound */
export const showProductSchema = async (
  { storage }: Pick<Deps, 'storage'>,
  input: { readonly key: string },
): Promise<ProductSchemaWithText> => {
  const schema = await storage.productSchemas.byKey(input.key)
  if (schema === undefined) throw new ProductSchemaNotFound()
  return schema
}
