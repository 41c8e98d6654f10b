import type { Input, Output } from '@countersign/contract'
import type { CallOptions, StepDeps } from '../../http/call.ts'
import { requireCommitment } from '../../shared/encoding/commitment.ts'
import { requireFunctions } from '../../shared/errors/countersign-error.ts'
import { type AwaitDecision, type RegisteredTrust, withVouching } from '../vouching.ts'
import type { DeviceSigner } from './device-signer.ts'
import { keyThumbprint } from './key-thumbprint.ts'

/** The device to register for the user of the session, and its signer. */
export type RegisterDevice = Pick<
  Input<'devices.beginRegistration'>,
  'deviceName' | 'deviceType' | 'enrolmentCode' | 'registeredWith'
> & {
  readonly signer: DeviceSigner
}

/** A device that was just registered. */
export type RegisteredDevice = Output<'devices.finishRegistration'> & RegisteredTrust

/** Announces the signer's key, and signs a challenge only if it covers the registration of this key for this user. */
export const registerDevice = (
  { call, inSteps, settled, claims, sha256, sha512 }: StepDeps & { readonly settled: AwaitDecision },
  input: RegisterDevice,
  options?: CallOptions,
): Promise<RegisteredDevice> =>
  inSteps(options, async (step, uncounted) => {
    const { signer, ...device } = { ...input }
    const { deviceFingerprint, keyAlgorithm } = requireFunctions('signer', signer, 'publicKey', 'sign')
    const publicKey = await uncounted(() => signer.publicKey())
    const announced = { ...device, deviceFingerprint, keyAlgorithm, publicKey }
    const begun = await call('devices.beginRegistration', announced, step)
    const { sessionId, deviceId, expiresAt } = begun
    const { id: userId } = await claims(step)
    const thumbprint = await keyThumbprint(sha256, publicKey)
    const statement = { deviceId, userId, keyThumbprint: thumbprint, deviceFingerprint, expiresAt }
    const challenge = await requireCommitment(sha512, 'device-registration.v1', begun, statement)
    const signedChallenge = await uncounted(() => signer.sign(challenge, { action: 'register' }))
    const registered = await call('devices.finishRegistration', { sessionId, signedChallenge }, step)
    return withVouching(settled, registered, registered.device, options)
  })

/** Makes a valid device name from any text: "iPhone 15 (2)" becomes "iPhone 15 2", and an empty one becomes "Device". */
export const deviceNameFrom = (text: string): string => {
  const permitted = String(text)
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .trim()
  const [name = 'Device'] = /^.{1,255}/u.exec(permitted) ?? []
  return name.trim()
}
