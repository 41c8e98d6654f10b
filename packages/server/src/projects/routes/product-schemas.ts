import type { Countersign } from '@countersign/core'
import type { Handlers } from '../../http/mount.ts'
import { presentRegistry } from '../serializers/product-schema.ts'

/** Whoever has a token may read the registry: it says what a product must look like, to whoever may create one. */
export const productSchemaRoutes = ({ productSchemas }: Countersign) =>
  ({
    'productSchemas.list': async () => ({ data: presentRegistry(await productSchemas.list()) }),
    'productSchemas.ofType': async ({ input }) => ({ data: presentRegistry(await productSchemas.ofType(input)) }),
  }) satisfies Partial<Handlers>
