import type { CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeTokenPair } from '../serializers/token-pair.ts'

export const authHandlers = ({ auth }: Pick<CountersignIdentity, 'auth'>) =>
  ({
    'auth.login': async ({ input, client }) => serializeTokenPair(await auth.login({ ...input, ...client })),
    'auth.refresh': async ({ input }) => serializeTokenPair(await auth.refresh(input)),
    'auth.logout': async ({ input, caller }) => {
      await auth.logout({ ...input, caller })
      return { success: true, message: 'Logged out' }
    },
  }) satisfies Partial<OperationHandlers>
