import type { DeviceRegistrar, DeviceType, KeyAlgorithm } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { BoundToTenants } from './bound.ts'
import type { RegistrationEvidence } from './registration-evidence.ts'
import type { Trust } from './trust.ts'

/**
 * A device of a user, with the public key that verifies its signatures. Times are milliseconds since 1970. `lastUsedAt` is
 * `null` until the device has logged in or approved a confirmation.
 */
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

/**
 * The devices of users. Every method but `page`, `removedOfUser` and `evidenceOf` returns active devices only. A removed device
 * stays in the database until its retention has passed.
 */
export interface DeviceStore {
  /**
   * Adds a device in a session of its user. A unique index on user, bound and fingerprint decides between concurrent
   * registrations. The user never has more than `limit` active devices with the bound of the new one. `session_ended`: the session
   * is not live or belongs to another user (see `SessionStore.status`). The session is locked until the device is stored, so no
   * registration can follow a logout or a disabling. A device that is trusted at its creation cancels the cooling-off periods of
   * the user; a bound one only those with its bound.
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
  /**
   * Returns the devices of all users with this fingerprint, for example on a shared tablet. Most recently used first, at most 100.
   */
  withFingerprint(fingerprint: string): Promise<readonly Device[]>
  /**
   * Records a use of the device; `false` if the device is not active. In a transaction, the row of the device stays locked
   * until the end, so no removal can happen in between.
   */
  use(userId: number, deviceId: string, now: Instant): Promise<boolean>
  /**
   * Returns the user's device, and locks its row until the transaction ends. No other transaction removes or changes the device
   * in between.
   */
  lock(userId: number, deviceId: string): Promise<Device | undefined>
  /** Replaces the push token; `null` removes it. Returns `false` if the user has no such device. */
  setPushToken(userId: number, deviceId: string, pushToken: StoredPushToken | null, now: Instant): Promise<boolean>
  /**
   * Takes the push token with this digest away from every other active device, of any user. A device of the same user with another
   * bound keeps it: one phone may be registered for several customers. Returns the devices that lose it, as they were.
   * In a transaction, other callers with the same digest wait until the end, so that at most one device has a token.
   */
  takePushToken(digest: string, deviceId: string, now: Instant): Promise<readonly LostPushToken[]>
  /** Removes the push token of a device if it is still this one; `false` otherwise. A token that was set meanwhile stays. */
  forgetPushToken(deviceId: string, pushToken: SealedField, now: Instant): Promise<boolean>
  /** Removes the device and deletes its push token; `false` if the user has no such device. */
  remove(userId: number, deviceId: string, now: Instant): Promise<boolean>
}
