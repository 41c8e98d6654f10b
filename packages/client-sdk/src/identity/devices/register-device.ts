import type { Input, Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { requireFunctions } from '../../shared/errors/require-functions.ts'
import type { DeviceSigner } from './device-signer.ts'

/** The device to register for the user of the session, and its signer. */
export type RegisterDevice = Pick<Input<'devices.beginRegistration'>, 'deviceName' | 'deviceType'> & {
  readonly signer: DeviceSigner
}

/** Announces the signer's key, and proves by a signature that the device has the private key. */
export const registerDevice = (
  { call, inSteps }: StepDeps,
  input: RegisterDevice,
  options?: CallOptions,
): Promise<Output<'devices.finishRegistration'>> =>
  inSteps(options, async (step, uncounted) => {
    const { signer, ...device } = { ...input }
    const { deviceFingerprint, keyAlgorithm } = requireFunctions('signer', signer, 'publicKey', 'sign')
    const publicKey = await uncounted(() => signer.publicKey())
    const announced = { ...device, deviceFingerprint, keyAlgorithm, publicKey }
    const { sessionId, challenge } = await call('devices.beginRegistration', announced, step)
    const signedChallenge = await uncounted(() => signer.sign(challenge, { action: 'register' }))
    return call('devices.finishRegistration', { sessionId, signedChallenge }, step)
  })
