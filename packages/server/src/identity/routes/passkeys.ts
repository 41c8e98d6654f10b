import type { CountersignIdentity } from '@countersign/core'
import { acknowledged, type OperationHandlers } from '../../http/operation-handler.ts'
import { noteUser } from '../../http/request-log.ts'

export const passkeyHandlers = ({ passkeys }: Pick<CountersignIdentity, 'passkeys'>) =>
  ({
    'passkeys.beginRegistration': async ({ input, caller }) => passkeys.beginRegistration({ ...input, caller }),
    'passkeys.finishRegistration': async ({ input, caller, client }) => {
      const registered = await passkeys.finishRegistration({ ...input, ...client, caller })
      return { success: true, credential: registered, ...registered.vouching }
    },
    'passkeys.beginLogin': async ({ input }) => passkeys.beginLogin(input),
    'passkeys.finishLogin': async ({ input, client, facts }) =>
      noteUser(facts, await passkeys.finishLogin({ ...input, ...client })),
    'passkeys.list': async ({ caller }) => ({ credentials: await passkeys.list({ caller }) }),
    'passkeys.rename': async ({ input, caller }) => ({
      success: true,
      credential: await passkeys.rename({ ...input, caller }),
    }),
    'passkeys.remove': async ({ input, caller }) => acknowledged(passkeys.remove({ ...input, caller }), 'Passkey removed'),
  }) satisfies Partial<OperationHandlers>
