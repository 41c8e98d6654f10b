import type { TrustLevel } from '@countersign/contract'
import { Forbidden } from '../../shared/errors.ts'
import { mayDo } from '../users/permissions.ts'

/** Who asks, as their access token says and the database confirms. */
export interface Caller {
  readonly userId: number
  readonly email: string
  /** What the user may do now, also where the token is older. */
  readonly permissions: readonly string[]
  readonly sessionId: string
  readonly tokenUse: 'access' | 'biometric_access'
  /** The device that logged in, for a biometric token. */
  readonly deviceId: string | null
  readonly trustLevel: TrustLevel
}

/** @throws Forbidden where the caller lacks the permission */
export const requirePermission = (caller: Pick<Caller, 'permissions'>, needed: `${string}.${string}`): void => {
  if (!mayDo(caller.permissions, needed)) throw new Forbidden()
}

/** The operation asks for a login by device signature, and the token's trust level is not `high`. */
export class InsufficientTrustLevel extends Forbidden {
  static readonly code = 'insufficient_trust_level'
  override readonly code = InsufficientTrustLevel.code
  constructor() {
    super('Insufficient trust level')
  }
}

/** The device of a caller whom a device's signature vouches for. @throws InsufficientTrustLevel for anyone else */
export const requireDevice = (caller: Caller): string => {
  if (caller.trustLevel !== 'high' || caller.deviceId === null) throw new InsufficientTrustLevel()
  return caller.deviceId
}
