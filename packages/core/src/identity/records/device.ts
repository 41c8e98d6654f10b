import type { DeviceRegistrar, DeviceType, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SignedForm } from '../../shared/crypto/device-signature.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { BoundToTenants } from './bound.ts'
import type { Trust } from './trust.ts'

/** A device of a user. Times are milliseconds since 1970. `lastUsedAt` is `null` until the device has logged in or approved. */
export interface Device extends Trust, BoundToTenants {
  readonly id: string
  readonly userId: number
  readonly deviceName: string
  readonly deviceType: DeviceType
  readonly deviceFingerprint: string
  /** The public key as SPKI in PEM, checked at the beginning of the registration. */
  readonly publicKey: string
  readonly keyAlgorithm: KeyAlgorithm
  /** `approver` if the approver page registered the device, as that page says; `null` for any other device. */
  readonly registeredWith: DeviceRegistrar | null
  /** The push token of the device, encrypted (`sealPushToken`). */
  readonly pushToken: SealedField | null
  readonly lastUsedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The query for a page of the devices of all users. */
export interface DevicePageQuery extends PageQuery {
  /** True if the removed devices are listed instead of the active ones. */
  readonly removed: boolean
  /** Only devices of this type. */
  readonly deviceType?: DeviceType | undefined
}

/** A device with the time of its removal; `null` for an active device. */
export interface PagedDevice extends Device {
  readonly removedAt: Instant | null
}

/** A push token as it is stored. */
export interface StoredPushToken {
  readonly sealed: SealedField
  /** A keyed hash of the token (`pushTokenDigest`), equal for equal tokens. */
  readonly digest: string
}

/** A device that lost its push token to another one, with the token. */
type LostPushToken = Pick<Device, 'id' | 'userId' | 'tenants' | 'pushToken'>

/** The devices of users. Only `page`, `removedOfUser` and `evidenceOf` return removed devices, which stay for their retention. */
export interface DeviceStore {
  /**
   * Adds a device in a live session of its user, which is locked until the device is stored; otherwise `session_ended`. So no
   * registration can follow a logout or a disabling. A unique index on user, bound and fingerprint decides between concurrent
   * registrations. The user never has more than `limit` active devices with one bound. A trusted device cancels the cooling-off
   * periods of the user; a bound one only those with its bound.
   */
  register(
    device: Device,
    sessionId: string,
    limit: number,
    evidence?: RegistrationEvidence,
  ): Promise<'registered' | 'fingerprint_taken' | 'too_many' | 'session_ended'>
  ofUser(userId: number, deviceId: string): Promise<Device | undefined>
  /** Returns the evidence of the registration of a device of the user, also of a removed device. It never changes. */
  evidenceOf(userId: number, deviceId: string): Promise<RegistrationEvidence | undefined>
  /** Returns a device of any user, for admins. */
  byId(deviceId: string): Promise<Device | undefined>
  /** Returns the devices of a user, oldest first. */
  allOfUser(userId: number): Promise<readonly Device[]>
  /** Returns the removed devices of a user, oldest first. For administrators only: their number has no limit. */
  removedOfUser(userId: number): Promise<readonly PagedDevice[]>
  /** Returns a page of the devices of all users, newest first. For administrators only. */
  page(query: DevicePageQuery): Promise<readonly PagedDevice[]>
  /** Returns the devices of all users with this fingerprint, most recently used first, at most 100. */
  withFingerprint(fingerprint: string): Promise<readonly Device[]>
  /** Records a use; `false` if the device is not active. In a transaction, its row stays locked until the end. */
  use(userId: number, deviceId: string, now: Instant): Promise<boolean>
  /** Returns the user's device, and locks its row until the transaction ends. */
  lock(userId: number, deviceId: string): Promise<Device | undefined>
  /** Replaces the push token; `null` removes it. Returns `false` if the user has no such device. */
  setPushToken(userId: number, deviceId: string, pushToken: StoredPushToken | null, now: Instant): Promise<boolean>
  /**
   * Takes the push token with this digest away from every other active device, except one of the same user with another bound: one
   * phone may be registered for several customers. Returns the losers, as they were. In a transaction, other callers with the same
   * digest wait until the end, so that at most one device has a token.
   */
  takePushToken(digest: string, deviceId: string, now: Instant): Promise<readonly LostPushToken[]>
  /** Removes the push token of a device if it is still this one; `false` otherwise. A token that was set meanwhile stays. */
  forgetPushToken(deviceId: string, pushToken: SealedField, now: Instant): Promise<boolean>
  /** Removes the device and deletes its push token; `false` if the user has no such device. */
  remove(userId: number, deviceId: string, now: Instant): Promise<boolean>
}

/** The signature by which a device proved its key at its registration. It never changes, and stays until the user is erased. */
export interface RegistrationEvidence {
  readonly deviceId: string
  readonly userId: number
  /** The signed challenge. It covers `text`. */
  readonly challenge: string
  /** 64 bytes as padded base64; encrypted. */
  readonly nonce: SealedField
  /** The canonical JSON of the signed statement (`deviceRegistrationText`); encrypted. */
  readonly text: SealedField
  readonly algorithm: KeyAlgorithm
  /** The bytes of the signature as sent, in base64url. */
  readonly signature: string
  /** The signed bytes: the UTF-8 bytes of the challenge text, or the 64 bytes that the text encodes. */
  readonly over: SignedForm
  /** The registered key: SPKI in PEM. */
  readonly publicKey: string
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  readonly keyThumbprint: string
  readonly registeredAt: Instant
}
