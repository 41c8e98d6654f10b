import { openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { IdentityDeps } from '../deps.ts'

const placeOf = (deviceId: string): FieldPlace => ({ table: 'devices', column: 'push_token', row: deviceId })

/** Encrypts a push token, bound to the row of the device. */
export const sealPushToken = (
  { encryptionKeys, random }: Pick<IdentityDeps, 'encryptionKeys' | 'random'>,
  deviceId: string,
  pushToken: string,
): SealedField => sealField(encryptionKeys, random, placeOf(deviceId), pushToken)

/** @throws FieldNotOpened */
export const openPushToken = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  deviceId: string,
  sealed: SealedField,
): string => openField(encryptionKeys, placeOf(deviceId), sealed)
