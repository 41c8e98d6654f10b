import type { TrustLevel } from '@countersign/contract'
import { errorOf, Forbidden } from '../../shared/errors.ts'
import type { Bound } from '../records/bound.ts'
import { type KnownPermission, mayDo } from '../user-model/permissions.ts'

/** The caller of a request, identified by a valid access token whose session and user are live in the storage. */
export interface Caller {
  readonly userId: number
  /** The id of the user in the directory of the host; `null` for a user of the storage. It never changes. */
  readonly directoryId: string | null
  readonly email: string
  /** The current permissions of the user, even when the token is older: everywhere, or in the tenant of the call. */
  readonly permissions: readonly string[]
  readonly sessionId: string
  readonly tokenUse: 'access' | 'biometric_access'
  /** The device that logged in; `null` unless the token is biometric. */
  readonly deviceId: string | null
  /** The passkey that opened the session, if it verified the user and is trusted now; `null` or absent for any other session. */
  readonly passkeyId?: string | null
  /** `high` while the device of the session is trusted. */
  readonly trustLevel: TrustLevel
  /** The tenants to which the session is bound; `null` if it is not bound. If it is absent, it is read from the session. */
  readonly tenants?: Bound
}

/** A user with permissions. Nothing is written for a user whose session has ended; without a session id, that is not checked. */
export type CallerWithPermissions = Pick<Caller, 'userId' | 'permissions'> & Partial<Pick<Caller, 'sessionId' | 'tenants'>>

/** A user with permissions, or an admin at the command line, who has every permission. */
export type CallerOrAdmin = CallerWithPermissions | 'admin'

/** @throws Forbidden if the caller lacks the permission */
export const requirePermission = (caller: Pick<Caller, 'permissions'>, needed: `${string}.${string}`): void => {
  if (!mayDo(caller.permissions, needed)) throw new Forbidden()
}

/** Checks that the caller has a permission everywhere. @throws Forbidden if not, and for a session that is bound to tenants */
export const requireRight = (caller: CallerOrAdmin, needed: KnownPermission): void => {
  if (caller === 'admin') return
  if ((caller.tenants ?? null) !== null) throw new Forbidden()
  requirePermission(caller, needed)
}

/** The operation requires the session of a trusted device. */
export class InsufficientTrustLevel extends errorOf('insufficient_trust_level') {}

/** Returns the device id of a caller whose device is trusted. @throws InsufficientTrustLevel for any other caller */
export const requireDevice = (caller: Caller): string => {
  if (caller.trustLevel !== 'high' || caller.deviceId === null) throw new InsufficientTrustLevel()
  return caller.deviceId
}
