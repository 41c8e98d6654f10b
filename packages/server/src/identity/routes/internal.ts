import type { Output } from '@countersign/contract'
import type { CountersignIdentity, Introspection } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'

const serializeIntrospection = (claims: Introspection): Output<'internal.verify'> => ({ valid: true, claims })

export const internalHandlers = ({ auth }: Pick<CountersignIdentity, 'auth'>) =>
  ({
    'internal.verify': async ({ input, token }) => serializeIntrospection(await auth.introspect({ ...input, token })),
  }) satisfies Partial<OperationHandlers>
