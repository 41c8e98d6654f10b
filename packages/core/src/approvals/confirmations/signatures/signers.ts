import { type Caller, InsufficientTrustLevel } from '../../../identity/authentication/caller.ts'
import type { BoundToTenants } from '../../../identity/records/bound.ts'
import type { Device } from '../../../identity/records/device.ts'
import type { Trust } from '../../../identity/records/trust.ts'
import type { IdentityStores } from '../../../identity/stores.ts'
import type { ApprovalDeps } from '../../deps.ts'

/** The device or the passkey of a user that approves, or that opened the session which rejects. One of the two ids is given. */
export interface Signer {
  readonly userId: number
  readonly deviceId: string | null
  readonly passkeyId: string | null
}

/** A caller who may have a session of a trusted device or passkey. */
export type Signing = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'deviceId' | 'trustLevel' | 'passkeyId'>>

/**
 * Returns what opened the session: a trusted device, or a trusted passkey that verified its user, if passkeys approve. `undefined`
 * for any other session.
 */
export const signerOf = (
  { options }: { readonly options: Pick<ApprovalDeps['options'], 'passkeyApprovals'> },
  { userId, deviceId = null, trustLevel, passkeyId = null }: Signing,
): Signer | undefined => {
  if (trustLevel === 'high' && deviceId !== null) return { userId, deviceId, passkeyId: null }
  return options.passkeyApprovals && passkeyId !== null ? { userId, deviceId: null, passkeyId } : undefined
}

/** Does the same. @throws InsufficientTrustLevel for any other session */
export const requireSigner = (...[deps, caller]: Parameters<typeof signerOf>): Signer => {
  const signer = signerOf(deps, caller)
  if (signer === undefined) throw new InsufficientTrustLevel()
  return signer
}

/** The trust and the bound of a device or passkey. */
export type TrustedWithin = Trust & BoundToTenants

/** The same, and for a device the page that registered it. */
export type TrustedSigner = TrustedWithin & Partial<Pick<Device, 'registeredWith'>>

type Stores = Pick<IdentityStores, 'devices' | 'passkeys'>

/**
 * Returns the trust and the bound of a signer, and locks its row until the end of the transaction; `undefined` if the signer was
 * removed.
 */
export const lockSigner = async (tx: Stores, { userId, deviceId, passkeyId }: Signer): Promise<TrustedWithin | undefined> => {
  if (deviceId !== null) return tx.devices.lock(userId, deviceId)
  return passkeyId === null ? undefined : tx.passkeys.lock(userId, passkeyId)
}

/** Returns the trust and the bound of a signer; `undefined` if the signer was removed. */
export const trustOf = async (stores: Stores, { userId, deviceId, passkeyId }: Signer): Promise<TrustedSigner | undefined> => {
  if (deviceId !== null) return stores.devices.ofUser(userId, deviceId)
  return (await stores.passkeys.allOfUser(userId)).find(({ id }) => id === passkeyId)
}
