import type { Checked } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel, requireDevice } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { isSignedByDevice } from '../../identity/devices/device-signature.ts'
import { OtherDevice } from '../../identity/devices/errors.ts'
import { checkedSignature } from '../../identity/devices/signature-input.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ConfirmationUsed, WrongConfirmationSignature } from './errors.ts'
import { requirePending } from './require-pending.ts'

/**
 * Approves a confirmation by a signature of the caller's device. Of approvals and rejections at the same time, exactly one
 * succeeds. The fifth wrong signature rejects the confirmation. The caller's session must still be live when the approval is
 * stored.
 *
 * @throws InsufficientTrustLevel, OtherDevice, Invalid, InvalidAccessToken, ConfirmationNotFound, ConfirmationExpired,
 *   ConfirmationUsed, WrongConfirmationSignature
 */
export const verify = async (
  { storage, clock, options }: Pick<ApprovalDeps, 'storage' | 'clock' | 'options'>,
  input: Checked<'confirmations.verify'> & { readonly caller: Caller },
): Promise<void> => {
  const { caller, confirmationId } = input
  const deviceId = requireDevice(caller)
  if (deviceId !== input.deviceId) throw new OtherDevice()
  const signature = checkedSignature(input.signedChallenge)
  const now = clock.now()
  const confirmation = await requirePending({ storage }, caller.userId, confirmationId, now)
  const device = await storage.devices.ofUser(caller.userId, deviceId)
  if (device === undefined) throw new InvalidAccessToken()

  if (!isSignedByDevice(device, confirmation.challenge, signature)) {
    await storage.confirmations.countWrongSignature(caller.userId, confirmationId, options.wrongSignaturesPerConfirmation, now)
    throw new WrongConfirmationSignature()
  }

  const outcome = await storage.confirmations.approve({
    id: confirmationId,
    userId: caller.userId,
    deviceId,
    sessionId: caller.sessionId,
    now,
  })
  if (outcome === 'device_removed' || outcome === 'session_ended') throw new InvalidAccessToken()
  if (outcome === 'not_trusted') throw new InsufficientTrustLevel()
  if (outcome === 'not_pending') {
    await requirePending({ storage }, caller.userId, confirmationId, now)
    throw new ConfirmationUsed()
  }
}
