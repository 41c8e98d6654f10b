import type { DeviceType, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { Trust } from '../trust/trust.ts'

/**
 * A device of a user, with the public key that verifies its signatures. Times are milliseconds since 1970. `lastUsedAt` is
 * `null` until the device has logged in or approved a confirmation.
 */
export interface Device extends Trust {
  readonly id: string
  readonly userId: number
  readonly deviceName: string
  readonly deviceType: DeviceType
  readonly deviceFingerprint: string
  /** The public key as SPKI in PEM, checked at the beginning of the registration. */
  readonly publicKey: string
  readonly keyAlgorithm: KeyAlgorithm
  /** The push token of the device, encrypted (`sealPushToken`). */
  readonly pushToken: SealedField | null
  readonly lastUsedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
