import type { Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { requireCommitment } from '../../shared/encoding/commitment.ts'
import { requireFunctions } from '../../shared/errors/countersign-error.ts'
import type { DeviceSigner } from './device-signer.ts'

/** The signer of the device, and the lifetime of the session. */
export interface LoginByDevice {
  readonly signer: DeviceSigner
  /** `true`: each renewal gives the session its `biometricRefreshTokenLifetime` again, after which it otherwise ends. */
  readonly rememberMe?: boolean
}

/** Logs in by the signature of a challenge, which must cover this login: no service gets an approval in this way. */
export const loginByDevice = (
  { call, inSteps, sha512 }: StepDeps,
  input: LoginByDevice,
  options?: CallOptions,
): Promise<Output<'mobile.finishLogin'>> =>
  inSteps(options, async (step, uncounted) => {
    const { signer, ...rest } = { ...input }
    const { deviceFingerprint } = requireFunctions('signer', signer, 'publicKey', 'sign')
    const begun = await call('mobile.beginLogin', { deviceFingerprint }, step)
    const { sessionId, expiresAt } = begun
    const statement = { sessionId, deviceFingerprint, expiresAt }
    const challenge = await requireCommitment(sha512, 'device-login.v1', begun, statement)
    const signedChallenge = await uncounted(() => signer.sign(challenge, { action: 'login' }))
    return call('mobile.finishLogin', { ...rest, sessionId, signedChallenge }, step)
  })
