import { describe, expect, it } from 'vitest'
import type { ProductSchemaWithText } from '../../../projects/product-schemas/product-schema.ts'
import type { FullStorage } from '../../../storage.ts'
import { aProductSchema } from '../../builders.ts'
import { schemaRegistryContract } from '../schema-registry.ts'

export const productSchemasContract = (storage: () => FullStorage): void => {
  describe('product schemas in a new database', () => {
    it.each(['software', 'service'])('of the type %s exist in a new database', async (type) => {
      const { schemas } = await storage().projects.productSchemas.active()
      expect(schemas).toContainEqual(expect.objectContaining({ key: `product_schema:${type}:v1.0.0`, type, version: '1.0.0' }))
    })
  })

  schemaRegistryContract<ProductSchemaWithText>(storage, {
    name: 'product schemas',
    registryOf: ({ projects }) => projects.productSchemas,
    anEntry: aProductSchema,
  })
}
