import type { Countersign } from '@countersign/core'
import type { Handlers } from '../../http/mount.ts'
import { presentListedPasskey, presentPasskey } from '../serializers/passkey.ts'
import { presentTokenPair } from '../serializers/token-pair.ts'

export const passkeyRoutes = ({ passkeys }: Countersign) =>
  ({
    'passkeys.beginRegistration': async ({ input, caller }) => passkeys.beginRegistration({ ...input, caller }),
    'passkeys.finishRegistration': async ({ input, caller }) => ({
      success: true,
      credential: presentPasskey(await passkeys.finishRegistration({ ...input, caller })),
    }),
    'passkeys.beginLogin': async ({ input }) => passkeys.beginLogin(input),
    'passkeys.finishLogin': async ({ input, clientAddress }) =>
      presentTokenPair(await passkeys.finishLogin({ ...input, address: clientAddress })),
    'passkeys.list': async ({ caller }) => ({ credentials: (await passkeys.list({ caller })).map(presentListedPasskey) }),
    'passkeys.rename': async ({ input, caller }) => ({
      success: true,
      credential: presentListedPasskey(await passkeys.rename({ ...input, caller })),
    }),
    'passkeys.remove': async ({ input, caller }) => {
      await passkeys.remove({ ...input, caller })
      return { success: true, message: 'Passkey removed' }
    },
  }) satisfies Partial<Handlers>
