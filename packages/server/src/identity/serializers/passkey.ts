import type { Output } from '@countersign/contract'
import { type Passkey, toIsoTimestamp, type WithTrust } from '@countersign/core'
import { presentTrust } from './trust.ts'

/** Neither key, count nor user handle are told. */
export const presentPasskey = (passkey: WithTrust<Passkey>): Output<'passkeys.finishRegistration'>['credential'] => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: toIsoTimestamp(passkey.createdAt),
  transports: [...passkey.transports],
  backedUp: passkey.backedUp,
  ...presentTrust(passkey),
})

/** The same with what a list has besides. */
export const presentListedPasskey = (passkey: WithTrust<Passkey>): Output<'passkeys.list'>['credentials'][number] => ({
  ...presentPasskey(passkey),
  lastUsedAt: passkey.lastUsedAt === null ? null : toIsoTimestamp(passkey.lastUsedAt),
})
