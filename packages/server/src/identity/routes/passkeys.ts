import type { Output } from '@countersign/contract'
import { type CountersignIdentity, type Passkey, toIsoTimestamp, type WithTrust } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'
import { serializeTokenPair } from '../serializers/token-pair.ts'
import { serializeTrust } from '../serializers/trust.ts'

/** Omits the key, the counter and the user handle. */
const serializePasskey = (passkey: WithTrust<Passkey>): Output<'passkeys.finishRegistration'>['credential'] => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: toIsoTimestamp(passkey.createdAt),
  transports: [...passkey.transports],
  backedUp: passkey.backedUp,
  ...serializeTrust(passkey),
})

/** The same with the additional members of a list entry. */
const serializeListedPasskey = (passkey: WithTrust<Passkey>): Output<'passkeys.list'>['credentials'][number] => ({
  ...serializePasskey(passkey),
  lastUsedAt: isoTimestampOrNull(passkey.lastUsedAt),
})

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
