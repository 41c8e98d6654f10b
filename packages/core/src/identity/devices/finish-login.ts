import type { Checked } from '@countersign/contract'
import type { FromClient } from '../../shared/from-client.ts'
import type { IdentityDeps } from '../deps.ts'
import { logInBySignature } from '../login/log-in-by-signature.ts'
import type { Challenge } from '../records/challenge.ts'
import type { Device } from '../records/device.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import type { IdentityStores } from '../stores.ts'
import type { TokenPair } from '../tokens/issue-tokens.ts'
import { decoyDevice } from './decoy-device.ts'
import { checkedSignature, isSignedByDevice } from './device-signature.ts'
import { InvalidBiometricToken } from './errors.ts'

/**
 * Logs in by a signature of the challenge, and opens a biometric session under the id of the challenge. Devices of several users
 * may share a fingerprint; the signature decides. Each challenge allows one attempt.
 * @throws Invalid for a malformed signature, InvalidBiometricToken for every other failure
 * @throws AccountLocked if a device proved its key, and its user is locked or disabled
 * @example const tokens = await countersign.mobile.finishLogin({ sessionId, signedChallenge, address: request.ip })
 */
export async function finishLogin(deps: IdentityDeps, input: Checked<'mobile.finishLogin'> & FromClient): Promise<TokenPair> {
  const { storage, users, clock } = deps
  const signature = checkedSignature(input.signedChallenge)
  const now = clock.now()
  const taken = await storage.challenges.consume(input.sessionId, 'device_login', null, now)
  if (taken === undefined) throw refused(deps, 'challenge')

  const device = await signerOf(deps, taken, signature)
  // The user is looked up for every signature, so that a wrong signature takes the same work.
  const user = await users.byId(device?.userId ?? 0)
  if (device === undefined) throw refused(deps, 'signature')

  const login = { id: taken.id, authMethod: 'biometric', deviceId: device.id, tenants: device.tenants } as const
  const signed = {
    ...input,
    trustedAt: device.trustedAt,
    use: (tx: IdentityStores) => tx.devices.use(device.userId, device.id, now),
    refused: (because: 'user' | 'signer') => refused(deps, because === 'user' ? 'user' : 'device_removed', device),
  }
  return logInBySignature(deps, user, login, signed, now)
}

/** Logs why a login is refused, with the device that signed. Returns the error for the caller, which has no reason. */
const refused = ({ logger }: IdentityDeps, reason: RefusalReason<'device_login_refused'>, signer?: Device) => {
  logRefusal(logger, 'device_login_refused', reason, signer && { userId: signer.userId, deviceId: signer.id })
  return new InvalidBiometricToken()
}

/** Returns the device that signed. Devices that were registered after the challenge was issued are ignored. */
const signerOf = async ({ storage, digestKey }: IdentityDeps, taken: Challenge<'device_login'>, signature: Uint8Array) => {
  const { deviceFingerprint } = taken.subject
  const [devices, key] = await Promise.all([storage.devices.withFingerprint(deviceFingerprint), digestKey('devices/decoys')])
  const meant = devices.filter((device) => device.createdAt <= taken.createdAt)
  const decoy = decoyDevice(key, deviceFingerprint)
  if (meant.length === 0) isSignedByDevice(decoy, taken.challenge, signature)
  return meant.find((device) => isSignedByDevice(device, taken.challenge, signature))
}
