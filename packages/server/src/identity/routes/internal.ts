import type { CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeIntrospection } from '../serializers/introspection.ts'

export const internalHandlers = ({ auth }: Pick<CountersignIdentity, 'auth'>) =>
  ({
    'internal.verify': async ({ input, token }) => serializeIntrospection(await auth.introspect({ ...input, token })),
  }) satisfies Partial<OperationHandlers>
