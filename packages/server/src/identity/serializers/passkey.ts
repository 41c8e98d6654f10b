import type { Output } from '@countersign/contract'
import { type Passkey, toIsoTimestamp } from '@countersign/core'

/** Omits the key, the counter and the user handle. */
export const serializePasskey = (passkey: Passkey): Output<'passkeys.finishRegistration'>['credential'] => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: toIsoTimestamp(passkey.createdAt),
  transports: [...passkey.transports],
  backedUp: passkey.backedUp,
})

/** The same with the additional members of a list entry. */
export const serializeListedPasskey = (passkey: Passkey): Output<'passkeys.list'>['credentials'][number] => ({
  ...serializePasskey(passkey),
  lastUsedAt: passkey.lastUsedAt === null ? null : toIsoTimestamp(passkey.lastUsedAt),
})
