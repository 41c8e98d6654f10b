import * as z from 'zod'
import { plainText } from '../fields.ts'

const productSchema = z
  .object({
    type: z.string(),
    /** `product_schema:<type>:v<version>` */
    key: z.string(),
    version: z.string(),
    title: z.string(),
    /** Only active versions apply: for each type, the newest active version. */
    active: z.boolean(),
    requiredFields: z.array(z.string()),
  })
  .meta({ id: 'ProductSchema' })

/** `version` increases with every change of the registry. */
const registry = z.object({ data: z.object({ version: z.string(), schemas: z.array(productSchema) }) })

export const productSchemaShapes = {
  'productSchemas.list': { input: z.object({}), output: registry },
  'productSchemas.ofType': { input: z.object({ type: plainText(1, 255, 'must be a product type') }), output: registry },
} as const
