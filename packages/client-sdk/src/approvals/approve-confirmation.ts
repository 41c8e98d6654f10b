import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../http/call.ts'
import type { DeviceSigner, PendingConfirmation } from '../identity/devices/device-signer.ts'
import { CountersignError, requireFunctions } from '../shared/errors/countersign-error.ts'
import { confirmationChallenge } from './confirmation-challenge.ts'

export interface ApproveOptions extends CallOptions {
  /** The number that the asking page shows: two digits. Needed if the confirmation says `numberMatching`. */
  readonly matchNumber?: string
}

/** Signs the action that the person was shown. A confirmation with another challenge than the computed one is not signed. */
export const approveConfirmation = (
  { call, inSteps, claims, sha512 }: StepDeps,
  confirmation: PendingConfirmation,
  signer: DeviceSigner,
  options?: ApproveOptions,
): Promise<Output<'confirmations.verify'>> =>
  inSteps(options, async (step, uncounted) => {
    const { confirmationId } = { ...confirmation }
    requireFunctions('signer', signer, 'publicKey', 'sign')
    const { device_id: deviceId, id } = await claims(step)
    if (deviceId === undefined) {
      throw new CountersignError('Approving needs a session of the device: log in with its signer', { code: 'NO_DEVICE_SESSION' })
    }
    const challenge = await confirmationChallenge(sha512, confirmation, id)
    const signedChallenge = await uncounted(() => signer.sign(challenge, { action: 'approve', confirmation }))
    return call('confirmations.verify', { confirmationId, deviceId, signedChallenge, matchNumber: options?.matchNumber }, step)
  })
