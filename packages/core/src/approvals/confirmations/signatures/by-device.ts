import type { Checked } from '@countersign/contract'
import { type Caller, requireDevice } from '../../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../../identity/authentication/errors.ts'
import { checkedSignature, proofOfDevice } from '../../../identity/devices/device-signature.ts'
import { OtherDevice } from '../../../identity/devices/errors.ts'
import { needsPasskey } from '../../../identity/trust/needs-passkey.ts'
import { toBase64Url } from '../../../shared/crypto/base64.ts'
import type { ApprovalDeps } from '../../deps.ts'
import { reachesConfirmation } from '../../records/confirmation.ts'
import { ConfirmationNotFound } from '../errors.ts'
import type { Prove } from './signers.ts'

type Input = Extract<Checked<'confirmations.verify'>, { deviceId: string }> & { readonly caller: Caller }

/**
 * Reads the signature of the caller's device. @throws InsufficientTrustLevel, OtherDevice, Invalid; the result throws
 * InvalidAccessToken if the device was removed, and ConfirmationNotFound if its bound does not reach the confirmation
 */
export const signatureOfDevice = ({ storage, options }: ApprovalDeps, { caller, deviceId, signedChallenge }: Input): Prove => {
  if (requireDevice(caller) !== deviceId) throw new OtherDevice()
  const signature = checkedSignature(signedChallenge)
  // Read at the same time as the confirmation, so that a database may answer both together.
  const reading = storage.devices.ofUser(caller.userId, deviceId)
  // The result throws a failure. It is not called if the confirmation is refused before.
  reading.catch(() => {})
  return async (confirmation) => {
    const device = await reading
    if (device === undefined) throw new InvalidAccessToken()
    const { publicKey, keyAlgorithm: algorithm, tenants } = device
    if (!reachesConfirmation(tenants, confirmation)) throw new ConfirmationNotFound()
    const proof = proofOfDevice(device, confirmation.challenge, signature)
    if (proof === undefined) return undefined
    const { over, keyThumbprint } = proof
    const evidence = { signature: toBase64Url(signature), algorithm, over, assertion: null, publicKey, keyThumbprint }
    return { signer: { deviceId }, evidence, tenants, isTooWeak: needsPasskey(options, device) }
  }
}
