import type { Output } from '@countersign/contract'
import type { CountersignIdentity, Introspection } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeTokenPair } from '../serializers/token-pair.ts'

const serializeIntrospection = (claims: Introspection): Output<'internal.verify'> => ({ valid: true, claims })

export const authHandlers = ({ auth }: Pick<CountersignIdentity, 'auth'>) =>
  ({
    'auth.login': async ({ input, client, facts }) => serializeTokenPair(await auth.login({ ...input, ...client }), facts),
    'auth.refresh': async ({ input, facts }) => serializeTokenPair(await auth.refresh(input), facts),
    'auth.logout': async ({ input, caller }) => {
      await auth.logout({ ...input, caller })
      return { success: true, message: 'Logged out' }
    },
    'internal.verify': async ({ input, token }) => serializeIntrospection(await auth.introspect({ ...input, token })),
  }) satisfies Partial<OperationHandlers>
