import type { Countersign } from '@countersign/core'
import type { Handlers } from '../../http/mount.ts'
import { presentTokenPair } from '../serializers/token-pair.ts'

export const authRoutes = ({ auth }: Countersign) =>
  ({
    'auth.login': async ({ input, clientAddress }) => presentTokenPair(await auth.login({ ...input, address: clientAddress })),
    'auth.refresh': async ({ input }) => presentTokenPair(await auth.refresh(input)),
    'auth.logout': async ({ input, caller }) => {
      await auth.logout({ ...input, caller })
      return { success: true, message: 'Logged out' }
    },
  }) satisfies Partial<Handlers>
