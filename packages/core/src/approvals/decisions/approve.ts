import { type Checked, matchNumberTakes } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel, requireDevice } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { checkedSignature, proofOfDevice } from '../../identity/devices/device-signature.ts'
import { OtherDevice } from '../../identity/devices/errors.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../../identity/push/notify-of-change.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { Invalid } from '../../shared/errors.ts'
import { WRONG_MATCH_NUMBERS } from '../confirmations/build-confirmation.ts'
import { ConfirmationUsed, WrongConfirmationSignature, WrongMatchNumber } from '../confirmations/errors.ts'
import { notifyOfSettled } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import type { ApprovalDeps } from '../deps.ts'
import { SameKey } from '../requests/errors.ts'
import { approveVouching, vouchingOf } from '../vouching/settle-vouching.ts'

/**
 * Approves a confirmation by a signature of the caller's device. Of approvals and rejections at the same time, exactly one
 * succeeds. The fifth wrong signature rejects the confirmation. The caller's session must still be live when the approval is
 * stored. With number matching, the caller also gives the number that the asking page shows. The number is checked after the
 * signature, and the second wrong number rejects the confirmation. The approval of a vouching makes its device or passkey
 * trusted.
 *
 * @throws InsufficientTrustLevel, OtherDevice, Invalid, InvalidAccessToken, ConfirmationNotFound, ConfirmationExpired,
 *   ConfirmationUsed, WrongConfirmationSignature, WrongMatchNumber, SameKey
 *
 * @example
 * ```ts
 * await countersign.confirmations.approve({ caller, confirmationId, deviceId, signedChallenge })
 * ```
 */
export async function approve(
  deps: NotifyOfChangeDeps & Pick<ApprovalDeps, 'storage' | 'options' | 'observer'>,
  input: Checked<'confirmations.verify'> & { readonly caller: Caller },
): Promise<void> {
  const { storage, clock, options, observer } = deps
  const { caller, confirmationId, matchNumber } = input
  if (isByPasskey(input)) throw new InsufficientTrustLevel()
  const deviceId = requireDevice(caller)
  if (deviceId !== input.deviceId) throw new OtherDevice()
  const signature = checkedSignature(input.signedChallenge)
  const now = clock.now()
  const confirmation = await requirePending({ storage }, caller.userId, confirmationId, now)
  const expected = confirmation.matchNumber && confirmationFields.matchNumber.open(deps, confirmationId, confirmation.matchNumber)
  if (expected !== null && matchNumber === undefined) throw new Invalid({ matchNumber: matchNumberTakes })
  const device = await storage.devices.ofUser(caller.userId, deviceId)
  if (device === undefined) throw new InvalidAccessToken()

  const proof = proofOfDevice(device, confirmation.challenge, signature)
  if (proof === undefined) {
    await storage.confirmations.countWrongSignature(caller.userId, confirmationId, options.wrongSignaturesPerConfirmation, now)
    observer.confirmation({ actionType: confirmation.actionType, outcome: 'wrong_signature' })
    throw new WrongConfirmationSignature()
  }

  // The number never changes, so the database need not compare it: each wrong number is counted by one statement.
  if (expected !== null && matchNumber !== expected) {
    await storage.confirmations.countWrongMatchNumber(caller.userId, confirmationId, WRONG_MATCH_NUMBERS, now)
    observer.confirmation({ actionType: confirmation.actionType, outcome: 'wrong_number' })
    throw new WrongMatchNumber()
  }

  const { userId, sessionId } = caller
  const evidence = {
    signature: toBase64Url(signature),
    algorithm: device.keyAlgorithm,
    over: proof.over,
    approvedAt: now,
    publicKey: device.publicKey,
    keyThumbprint: proof.keyThumbprint,
  }
  const approval = { id: confirmationId, userId, deviceId, sessionId, evidence, now }
  const vouching = await vouchingOf(deps, confirmation)
  const outcome =
    vouching === undefined ? await storage.confirmations.approve(approval) : await approveVouching(storage, approval, vouching)
  if (outcome === 'device_removed' || outcome === 'session_ended') throw new InvalidAccessToken()
  if (outcome === 'not_trusted') throw new InsufficientTrustLevel()
  if (outcome === 'same_key') throw new SameKey()
  if (outcome === 'not_pending') {
    await requirePending({ storage }, caller.userId, confirmationId, now)
    throw new ConfirmationUsed()
  }
  observer.confirmation({ actionType: confirmation.actionType, outcome: 'approved' })
  notifyOfSettled(deps, [confirmation], deviceId)
  if (vouching !== undefined) notifyOfChange(deps, { userId, change: 'trust_changed' })
}

/** Returns whether an input has the form of an approval by a passkey. */
const isByPasskey = <I extends Checked<'confirmations.verify'>>(input: I): input is Extract<I, { credentialId: string }> =>
  'credentialId' in input && input.credentialId !== undefined
