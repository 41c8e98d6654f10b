import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { requireFunctions } from '../../shared/errors/require-functions.ts'
import type { DeviceSigner } from '../devices/device-signer.ts'

/** The signer of the device, and the lifetime of the session. */
export interface LoginByDevice {
  readonly signer: DeviceSigner
  /**
   * `true`: each renewal extends the session to thirty days from then. Otherwise the session ends thirty days after the login.
   */
  readonly rememberMe?: boolean
}

/** Gets a challenge for the signer's device, and logs in with the signature. */
export const loginByDevice = (
  { call, inSteps }: StepDeps,
  input: LoginByDevice,
  options?: CallOptions,
): Promise<Output<'mobile.finishLogin'>> =>
  inSteps(options, async (step, uncounted) => {
    const { signer, ...rest } = { ...input }
    const { deviceFingerprint } = requireFunctions('signer', signer, 'publicKey', 'sign')
    const { sessionId, challenge } = await call('mobile.beginLogin', { deviceFingerprint }, step)
    const signedChallenge = await uncounted(() => signer.sign(challenge, { action: 'login' }))
    return call('mobile.finishLogin', { ...rest, sessionId, signedChallenge }, step)
  })
