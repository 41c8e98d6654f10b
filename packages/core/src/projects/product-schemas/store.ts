import type { SchemaRegistryStore } from '../../shared/schema-registry/store.ts'
import type { ProductSchemaWithText } from './product-schema.ts'

/** The registry of product schemas. */
export type ProductSchemaStore = SchemaRegistryStore<ProductSchemaWithText>
