import type { DeviceType, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'

/**
 * A device of a user, with the public key of the pair that it signs by (`KeyAlgorithm`). Times are milliseconds since 1970;
 * `lastUsedAt` is `null` until it has logged in or approved something.
 */
export interface Device {
  readonly id: string
  readonly userId: number
  readonly deviceName: string
  readonly deviceType: DeviceType
  readonly deviceFingerprint: string
  /** SPKI in PEM, as checked when the registration began. */
  readonly publicKey: string
  readonly keyAlgorithm: KeyAlgorithm
  /** Where the device is notified, encrypted (`sealPushToken`). */
  readonly pushToken: SealedField | null
  readonly lastUsedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}
