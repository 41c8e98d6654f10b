import type { Opening, Sealing } from '../../shared/crypto/field-encryption.ts'
import type { RegistrationEvidence } from '../records/device.ts'
import { sealedColumn } from '../sealed-columns.ts'

/** The encrypted nonce of a registration's challenge, in base64. */
export const registrationNonce = sealedColumn('challenges', 'subject')

/** The proof of possession of a registration, with its fields decrypted. */
export interface OpenedRegistration
  extends Pick<RegistrationEvidence, 'challenge' | 'algorithm' | 'signature' | 'over' | 'registeredAt'> {
  readonly nonce: string
  readonly text: string
}

const nonceField = sealedColumn('device_registrations', 'nonce')
const textField = sealedColumn('device_registrations', 'statement')

/** Encrypts the nonce and the statement of a registration. The fields can be decrypted only in the row of this device. */
export const sealRegistration = (deps: Sealing, deviceId: string, { nonce, text }: Record<'nonce' | 'text', string>) => ({
  nonce: nonceField.seal(deps, deviceId, nonce),
  text: textField.seal(deps, deviceId, text),
})

/** Decrypts the fields of a registration. @throws FieldNotOpened */
export const openRegistration = (
  deps: Opening,
  { deviceId, challenge, nonce, text, algorithm, signature, over, registeredAt }: RegistrationEvidence,
): OpenedRegistration => ({
  challenge,
  nonce: nonceField.open(deps, deviceId, nonce),
  text: textField.open(deps, deviceId, text),
  algorithm,
  signature,
  over,
  registeredAt,
})
