import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../call.ts'
import type { DeviceSigner } from './device-signer.ts'

/** The device that is to be registered for the user of the session, and what signs for it. */
export type RegisterDevice = Pick<Input<'devices.beginRegistration'>, 'deviceName' | 'deviceType'> & {
  readonly signer: DeviceSigner
}

/** Announces the signer's key, and proves by its signature that the device holds it. */
export const registerDevice = async (
  call: Call,
  { signer, ...device }: RegisterDevice,
  options?: CallOptions,
): Promise<Output<'devices.finishRegistration'>> => {
  const { deviceFingerprint, keyAlgorithm } = signer
  const announced = { ...device, deviceFingerprint, keyAlgorithm, publicKey: await signer.publicKey() }
  const { sessionId, challenge } = await call('devices.beginRegistration', announced, options)
  const signedChallenge = await signer.sign(challenge, { action: 'register' })
  return call('devices.finishRegistration', { sessionId, signedChallenge }, options)
}
