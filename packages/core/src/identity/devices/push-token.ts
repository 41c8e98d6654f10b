import { createHmac } from 'node:crypto'
import { deriveKey } from '../../shared/crypto/derive-key.ts'
import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import { oldestSecret } from '../../shared/crypto/key-ring.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { IdentityDeps } from '../deps.ts'
import type { StoredPushToken } from './store.ts'

const placeOf = (deviceId: string): FieldPlace => ({ table: 'devices', column: 'push_token', row: deviceId })

/** Returns a keyed hash of a push token, which finds the other devices with the token and reveals no token. */
const pushTokenDigest = ({ encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>, pushToken: string): string =>
  createHmac('sha256', deriveKey(oldestSecret(encryptionKeys), 'devices/push_tokens'))
    .update(pushToken)
    .digest('base64url')

/** Encrypts a push token, bound to the row of the device. */
export const sealPushToken = (
  deps: Pick<IdentityDeps, 'encryptionKeys' | 'random'>,
  deviceId: string,
  pushToken: string,
): StoredPushToken => ({
  sealed: sealField(deps.encryptionKeys, deps.random, placeOf(deviceId), pushToken),
  digest: pushTokenDigest(deps, pushToken),
})

/** @throws FieldNotOpened */
export const openPushToken = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  deviceId: string,
  sealed: SealedField,
): string => openField(encryptionKeys, placeOf(deviceId), sealed)
