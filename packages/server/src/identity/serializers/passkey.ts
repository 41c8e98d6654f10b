import type { Output } from '@countersign/contract'
import { type Passkey, toIsoTimestamp } from '@countersign/core'

/** Neither key, count nor user handle are told. */
export const serializePasskey = (passkey: Passkey): Output<'passkeys.finishRegistration'>['credential'] => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: toIsoTimestamp(passkey.createdAt),
  transports: [...passkey.transports],
  backedUp: passkey.backedUp,
})

/** The same with what a list has besides. */
export const serializeListedPasskey = (passkey: Passkey): Output<'passkeys.list'>['credentials'][number] => ({
  ...serializePasskey(passkey),
  lastUsedAt: passkey.lastUsedAt === null ? null : toIsoTimestamp(passkey.lastUsedAt),
})
