import type { InitiatedConfirmation } from '../approvals/confirmations/build-confirmation.ts'
import type { Countersign } from '../countersign.ts'
import { initiatePayment } from './initiate-payment.ts'
import type { DeviceUser } from './sign-in.ts'

/** Approves a confirmation by the signature of the user's device. */
export const approve = (
  { countersign }: { readonly countersign: Countersign },
  { mobile, device, signer }: Pick<DeviceUser, 'mobile' | 'device' | 'signer'>,
  { id: confirmationId, challenge }: Pick<InitiatedConfirmation, 'id' | 'challenge'>,
): Promise<void> =>
  countersign.confirmations.approve({
    caller: mobile.caller,
    confirmationId,
    deviceId: device.id,
    signedChallenge: signer.sign(challenge),
  })

/** Approves the first confirmation that waits for a user. */
export const approvePending = async (test: { readonly countersign: Countersign }, user: DeviceUser): Promise<void> => {
  const [asked] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
  if (asked === undefined) throw new Error('the user was not asked')
  await approve(test, user, asked)
}

/** Initiates the confirmation of a payment, and approves it. */
export const approvePayment = async (
  test: { readonly countersign: Countersign },
  user: DeviceUser,
): Promise<InitiatedConfirmation> => {
  const confirmation = await initiatePayment(test, user.web.caller)
  await approve(test, user, confirmation)
  return confirmation
}
