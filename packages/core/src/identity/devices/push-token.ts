import { createHmac } from 'node:crypto'
import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { IdentityDeps } from '../deps.ts'
import type { StoredPushToken } from './store.ts'

const placeOf = (deviceId: string): FieldPlace => ({ table: 'devices', column: 'push_token', row: deviceId })

/** Returns a keyed hash of a push token, which finds the other devices with the token and reveals no token. */
const pushTokenDigest = async ({ digestKey }: Pick<IdentityDeps, 'digestKey'>, pushToken: string): Promise<string> =>
  createHmac('sha256', await digestKey('devices/push-tokens'))
    .update(pushToken)
    .digest('base64url')

/** Encrypts a push token, bound to the row of the device. */
export const sealPushToken = async (
  deps: Pick<IdentityDeps, 'encryptionKeys' | 'random' | 'digestKey'>,
  deviceId: string,
  pushToken: string,
): Promise<StoredPushToken> => ({
  sealed: sealField(deps.encryptionKeys, deps.random, placeOf(deviceId), pushToken),
  digest: await pushTokenDigest(deps, pushToken),
})

/** @throws FieldNotOpened */
export const openPushToken = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  deviceId: string,
  sealed: SealedField,
): string => openField(encryptionKeys, placeOf(deviceId), sealed)
