import type { Output } from '@countersign/contract'
import type { ProductSchema, ProductSchemaRegistry } from '@countersign/core'

type Registry = Output<'productSchemas.list'>['data']

/** An entry of the registry, as the contract shows it. */
export const serializeProductSchema = (entry: ProductSchema): Registry['schemas'][number] => ({
  type: entry.type,
  key: entry.key,
  version: entry.version,
  title: entry.title,
  active: entry.active,
  requiredFields: [...entry.requiredFields],
})

/** The whole registry, as the contract shows it. */
export const serializeRegistry = ({ version, schemas }: ProductSchemaRegistry): Registry => ({
  version: String(version),
  schemas: schemas.map(serializeProductSchema),
})
