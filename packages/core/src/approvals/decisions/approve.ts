import { type Checked, matchNumberTakes } from '@countersign/contract'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { PasskeyNotFound } from '../../identity/passkeys/errors.ts'
import { notifyOfChange } from '../../identity/push/notify-of-change.ts'
import { boundOfCaller } from '../../identity/sessions/bound-of-caller.ts'
import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { WRONG_MATCH_NUMBERS } from '../confirmations/build-confirmation.ts'
import { ConfirmationUsed, PasskeyRequired, WrongConfirmationSignature, WrongMatchNumber } from '../confirmations/errors.ts'
import { notifyOfSettled } from '../confirmations/notify-devices.ts'
import { requirePending } from '../confirmations/require-pending.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { signatureOfDevice } from '../confirmations/signatures/by-device.ts'
import { assertionOfPasskey } from '../confirmations/signatures/by-passkey.ts'
import type { ApprovalDeps, ByCaller } from '../deps.ts'
import { decisionOf } from '../observer.ts'
import type { Confirmation, WrongAttempt } from '../records/confirmation.ts'
import { SameKey } from '../requests/errors.ts'
import { requireAdmitted } from '../use/vote-of-request.ts'
import { approveVouching, vouchingOf } from '../vouching/settle-vouching.ts'

/**
 * Approves a confirmation by a signature of the caller's device, or by an assertion of a trusted passkey if `passkeyApprovals` is
 * on. Of approvals and rejections at the same time, exactly one succeeds, while the caller's session is live. The fifth wrong
 * signature, and the second wrong number after a right one, reject the confirmation. The approval of a vouching makes its device or
 * passkey trusted; if nothing about it is bound to tenants, it also ends their bound.
 * @throws InsufficientTrustLevel also for a passkey that is not trusted
 * @throws PasskeyRequired for a device of the approver where the host asks for a passkey; for a vouching only if a device asks
 * @throws OtherDevice, PasskeyNotFound, PasskeyNotAdmitted, Invalid, InvalidAccessToken, ConfirmationNotFound, ConfirmationExpired,
 *   ConfirmationUsed, WrongConfirmationSignature, WrongMatchNumber, SameKey
 * @example await countersign.confirmations.approve({ caller, confirmationId, deviceId, signedChallenge })
 */
export async function approve(deps: ApprovalDeps, input: ByCaller<'confirmations.verify'>): Promise<void> {
  const { storage, clock, observer } = deps
  const { caller, confirmationId, matchNumber } = input
  const prove = isByPasskey(input) ? await assertionOfPasskey(deps, input) : signatureOfDevice(deps, input)
  const now = clock.now()
  const confirmation = await requirePending(deps, caller, confirmationId, now)
  const expected = confirmation.matchNumber && confirmationFields.matchNumber.open(deps, confirmationId, confirmation.matchNumber)
  if (expected !== null && matchNumber === undefined) throw new Invalid({ matchNumber: matchNumberTakes })

  const proof = await prove(confirmation)
  if (proof === undefined) return refuse(deps, confirmation, 'wrongSignatures', now)
  const vouching = await vouchingOf(deps, confirmation)
  if (proof.isTooWeak && vouching?.kind !== 'passkey') throw new PasskeyRequired()
  await requireAdmitted(deps, confirmation, proof.evidence)

  // The number never changes, so the database need not compare it: each wrong number is counted by one statement.
  if (expected !== null && matchNumber !== expected) return refuse(deps, confirmation, 'wrongMatchNumbers', now)

  const { userId, sessionId } = caller
  const evidence = { ...proof.evidence, approvedAt: now }
  const approval = { id: confirmationId, userId, sessionId, ...proof.signer, evidence, now }
  const isUnbound = proof.tenants === null && (await boundOfCaller(deps, caller)) === null
  const outcome = await (vouching === undefined
    ? storage.confirmations.approve(approval)
    : approveVouching(deps, approval, vouching, isUnbound ? 'ends' : undefined))
  if (outcome === 'device_removed' || outcome === 'session_ended') throw new InvalidAccessToken()
  if (outcome === 'passkey_removed') throw new PasskeyNotFound()
  if (outcome === 'not_trusted') throw new InsufficientTrustLevel()
  if (outcome === 'same_key') throw new SameKey()
  if (outcome === 'counter') return refuse(deps, confirmation, 'wrongSignatures', now)
  if (outcome === 'not_pending') {
    await requirePending(deps, caller, confirmationId, now)
    throw new ConfirmationUsed()
  }
  observer.confirmation(decisionOf(confirmation, 'approved', now))
  notifyOfSettled(deps, [confirmation], caller.deviceId)
  if (vouching !== undefined) notifyOfChange(deps, { userId, change: 'trust_changed' })
}

const isByPasskey = <I extends Checked<'confirmations.verify'>>(input: I): input is Extract<I, { credentialId: string }> =>
  'credentialId' in input && input.credentialId !== undefined

/** Counts a wrong signature or number, which may reject the confirmation. @throws WrongConfirmationSignature, WrongMatchNumber */
const refuse = async (
  deps: ApprovalDeps,
  confirmation: Confirmation,
  counter: WrongAttempt['counter'],
  now: Instant,
): Promise<never> => {
  const { storage, options, observer } = deps
  const { id, userId, actionType } = confirmation
  const isNumber = counter === 'wrongMatchNumbers'
  const limit = isNumber ? WRONG_MATCH_NUMBERS : options.wrongSignaturesPerConfirmation
  const isRejected = await storage.confirmations.countWrong({ id, userId, counter, limit, now })
  if (isRejected) notifyOfSettled(deps, [confirmation])
  observer.confirmation({ actionType, outcome: isNumber ? 'wrong_number' : 'wrong_signature' })
  throw isNumber ? new WrongMatchNumber() : new WrongConfirmationSignature()
}
