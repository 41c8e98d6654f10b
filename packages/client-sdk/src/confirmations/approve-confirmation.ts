import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../call.ts'
import type { DeviceSigner } from '../devices/device-signer.ts'
import { CountersignError } from '../errors/countersign-error.ts'
import { requireFunctions } from '../errors/require-functions.ts'
import { claimsOf } from '../tokens/claims.ts'
import { confirmationChallenge, type Sha512 } from './confirmation-challenge.ts'
import type { PendingConfirmation } from './pending-confirmation.ts'

export interface ApproveDeps extends StepDeps {
  /** The token of the session, which says which device this is. */
  readonly accessToken: (options?: CallOptions) => Promise<string | undefined>
  readonly sha512: Sha512
}

/**
 * Signs what the person was shown, and nothing else: the challenge is computed from it, and a confirmation whose challenge
 * is another one is not signed.
 */
export const approveConfirmation = (
  { call, inSteps, accessToken, sha512 }: ApproveDeps,
  confirmation: PendingConfirmation,
  signer: DeviceSigner,
  options?: CallOptions,
): Promise<Output<'confirmations.verify'>> =>
  inSteps(options, async (step, uncounted) => {
    const { confirmationId, challenge } = { ...confirmation }
    requireFunctions('signer', signer, 'publicKey', 'sign')
    if ((await confirmationChallenge(sha512, confirmation)) !== challenge) {
      throw new CountersignError('The challenge does not belong to what is shown; nothing was signed', {
        code: 'CHALLENGE_MISMATCH',
      })
    }
    const { device_id: deviceId } = claimsOf(step.token ?? (await accessToken(step)) ?? '')
    if (deviceId === undefined) {
      throw new CountersignError('Approving takes a session of the device: log in with its signer', { code: 'NO_DEVICE_SESSION' })
    }
    const signedChallenge = await uncounted(() => signer.sign(challenge, { action: 'approve', confirmation }))
    return call('confirmations.verify', { confirmationId, deviceId, signedChallenge }, step)
  })
