import type { CountersignIdentity } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeListedPasskey, serializePasskey } from '../serializers/passkey.ts'
import { serializeTokenPair } from '../serializers/token-pair.ts'

export const passkeyHandlers = ({ passkeys }: Pick<CountersignIdentity, 'passkeys'>) =>
  ({
    'passkeys.beginRegistration': async ({ input, caller }) => passkeys.beginRegistration({ ...input, caller }),
    'passkeys.finishRegistration': async ({ input, caller, client }) => {
      const registered = await passkeys.finishRegistration({ ...input, ...client, caller })
      return { success: true, credential: serializePasskey(registered), ...registered.vouching }
    },
    'passkeys.beginLogin': async ({ input }) => passkeys.beginLogin(input),
    'passkeys.finishLogin': async ({ input, client, facts }) =>
      serializeTokenPair(await passkeys.finishLogin({ ...input, ...client }), facts),
    'passkeys.list': async ({ caller }) => ({ credentials: (await passkeys.list({ caller })).map(serializeListedPasskey) }),
    'passkeys.rename': async ({ input, caller }) => ({
      success: true,
      credential: serializeListedPasskey(await passkeys.rename({ ...input, caller })),
    }),
    'passkeys.remove': async ({ input, caller }) => {
      await passkeys.remove({ ...input, caller })
      return { success: true, message: 'Passkey removed' }
    },
  }) satisfies Partial<OperationHandlers>
