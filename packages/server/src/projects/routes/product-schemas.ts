import type { CountersignProjects } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeRegistry } from '../serializers/product-schema.ts'

/** Whoever has a token may read the registry: it says what a product must look like, to whoever may create one. */
export const productSchemaHandlers = ({ productSchemas }: Pick<CountersignProjects, 'productSchemas'>) =>
  ({
    'productSchemas.list': async () => ({ data: serializeRegistry(await productSchemas.list()) }),
    'productSchemas.ofType': async ({ input }) => ({ data: serializeRegistry(await productSchemas.ofType(input)) }),
  }) satisfies Partial<OperationHandlers>
