import type { Instant } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { Device } from './device.ts'

/** Only active devices are ever returned; a removed one is kept for the record and never seen again. */
export interface DeviceStore {
  /**
   * Adds a device that its user registers in this session. A unique index on user and fingerprint decides between several at
   * once; and whatever happens at once, the user never has more than `limit` active devices. `session_ended` where the
   * session is not live, or is somebody else's (see `SessionStore.status`): it is held until the device is stored, so no
   * registration slips past a logout or a disabling.
   */
  register(
    device: Device,
    sessionId: string,
    limit: number,
  ): Promise<'registered' | 'fingerprint_taken' | 'too_many' | 'session_ended'>
  ofUser(userId: number, deviceId: string): Promise<Device | undefined>
  /** Whoever's it is; for admins. */
  byId(deviceId: string): Promise<Device | undefined>
  /** By age, oldest first. */
  allOfUser(userId: number): Promise<readonly Device[]>
  /** Whether the user has an active device of this fingerprint, and how many devices in all. */
  registrationState(userId: number, fingerprint: string): Promise<{ fingerprintTaken: boolean; devices: number }>
  /** The devices of any user with this fingerprint (a shared tablet), the most recently used first, 100 at most. */
  withFingerprint(fingerprint: string): Promise<readonly Device[]>
  /**
   * Notes that the device was used; `false` where it is not active. Within a transaction it holds the device's row
   * until the end, so that what follows cannot slip past a removal.
   */
  use(userId: number, deviceId: string, now: Instant): Promise<boolean>
  /** Keeps the push token in place of the one before; `null` removes it. `false` where the user has no such device. */
  setPushToken(userId: number, deviceId: string, pushToken: SealedField | null, now: Instant): Promise<boolean>
  /** Removes the device and forgets its push token; `false` where the user has no such device. */
  remove(userId: number, deviceId: string, now: Instant): Promise<boolean>
}
