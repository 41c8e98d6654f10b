import { type Caller, InsufficientTrustLevel } from '../../../identity/authentication/caller.ts'
import type { Bound, BoundToTenants } from '../../../identity/records/bound.ts'
import type { Device } from '../../../identity/records/device.ts'
import type { Trust } from '../../../identity/records/trust.ts'
import type { IdentityStores } from '../../../identity/stores.ts'
import type { ApprovalDeps } from '../../deps.ts'
import type { Approval, Confirmation, Evidence } from '../../records/confirmation.ts'

/** The device or the passkey of a user that approves, or that opened the session which rejects. One of the two ids is given. */
export type Signer = Pick<Confirmation, 'userId' | 'deviceId' | 'passkeyId'>

/** A caller who may have a session of a trusted device or passkey. */
export type Signing = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'deviceId' | 'trustLevel' | 'passkeyId'>>

/** Returns what opened the session: a trusted device, or, if passkeys approve, a trusted passkey that verified its user. */
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

export type TrustedWithin = Trust & BoundToTenants

/** The same, and for a device the page that registered it. */
export type TrustedSigner = TrustedWithin & Partial<Pick<Device, 'registeredWith'>>

type Stores = Pick<IdentityStores, 'devices' | 'passkeys'>

/** Returns the trust and the bound of a signer, and locks its row until the commit; `undefined` if the signer was removed. */
export const lockSigner = async (tx: Stores, { userId, deviceId, passkeyId }: Signer): Promise<TrustedWithin | undefined> => {
  if (deviceId !== null) return tx.devices.lock(userId, deviceId)
  return passkeyId === null ? undefined : tx.passkeys.lock(userId, passkeyId)
}

/** Returns the trust and the bound of a signer; `undefined` if the signer was removed. */
export const trustOf = async (stores: Stores, { userId, deviceId, passkeyId }: Signer): Promise<TrustedSigner | undefined> => {
  if (deviceId !== null) return stores.devices.ofUser(userId, deviceId)
  return (await stores.passkeys.allOfUser(userId)).find(({ id }) => id === passkeyId)
}

type OnlySigner<A> = A extends unknown ? Omit<A, 'id' | 'userId' | 'sessionId' | 'evidence' | 'now'> : never

/** The result of a valid signature: who signed, and the evidence to store. */
export interface Proof {
  readonly signer: OnlySigner<Approval>
  readonly evidence: Omit<Evidence, 'approvedAt'>
  readonly tenants: Bound
  /** True for a device that must not approve by its key alone (`needsPasskey`). */
  readonly isTooWeak: boolean
}

/** Returns the proof if the signature is right for this confirmation; `undefined` if it is wrong. */
export type Prove = (confirmation: Pick<Confirmation, 'challenge' | 'tenant' | 'boundTo'>) => Promise<Proof | undefined>
