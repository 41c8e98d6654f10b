import type { CountersignProjects } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeRegistry } from '../serializers/product-schema.ts'

/** Every caller with a token may read the registry, because it describes how to create a product. */
export const productSchemaHandlers = ({ productSchemas }: Pick<CountersignProjects, 'productSchemas'>) =>
  ({
    'productSchemas.list': async () => ({ data: serializeRegistry(await productSchemas.list()) }),
    'productSchemas.ofType': async ({ input }) => ({ data: serializeRegistry(await productSchemas.ofType(input)) }),
  }) satisfies Partial<OperationHandlers>
