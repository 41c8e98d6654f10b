import type { Output } from '@countersign/contract'
import { type Passkey, toIsoTimestamp, type WithTrust } from '@countersign/core'
import { isoTimestampOrNull } from '../../shared/iso-timestamp-or-null.ts'
import { serializeTrust } from './trust.ts'

/** Omits the key, the counter and the user handle. */
export const serializePasskey = (passkey: WithTrust<Passkey>): Output<'passkeys.finishRegistration'>['credential'] => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: toIsoTimestamp(passkey.createdAt),
  transports: [...passkey.transports],
  backedUp: passkey.backedUp,
  ...serializeTrust(passkey),
})

/** The same with the additional members of a list entry. */
export const serializeListedPasskey = (passkey: WithTrust<Passkey>): Output<'passkeys.list'>['credentials'][number] => ({
  ...serializePasskey(passkey),
  lastUsedAt: isoTimestampOrNull(passkey.lastUsedAt),
})
