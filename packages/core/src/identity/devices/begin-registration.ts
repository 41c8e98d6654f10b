import type { Checked } from '@countersign/contract'
import { parseDeviceKey, toSpkiPem } from '../../shared/crypto/device-key.ts'
import { Invalid } from '../../shared/errors.ts'
import { randomUuid } from '../../shared/random.ts'
import type { Caller } from '../authentication/caller.ts'
import type { Challenge } from '../challenges/challenge.ts'
import { newChallenge } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { checkGivenCode } from '../one-time-codes/enrolment-code.ts'
import { DeviceAlreadyRegistered, TooManyDevices } from './errors.ts'

const rsaKeyTakes = 'must be one PEM public key (SPKI or PKCS#1) of RSA with 2048 to 8192 bits and exponent 65537'

const keyTakes = {
  ES256: 'must be one PEM public key (SPKI) on the named curve P-256, with an uncompressed point',
  RS256: rsaKeyTakes,
  PS256: rsaKeyTakes,
} as const

/**
 * Begins the registration of a device. The device must sign the challenge to prove that it holds the key. The returned device
 * id becomes the id of the device. With an enrolment code, the device will be trusted. @throws Invalid, DeviceAlreadyRegistered, TooManyDevices
 */
export const beginRegistration = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'random' | 'options'>,
  input: Checked<'devices.beginRegistration'> & { readonly caller: Caller },
): Promise<Challenge<'device_registration'>> => {
  const { storage, clock, random, options } = deps
  const { caller, deviceName, deviceType, deviceFingerprint, keyAlgorithm } = input
  const key = parseDeviceKey(input.publicKey, keyAlgorithm)
  if (key === undefined) throw new Invalid({ publicKey: keyTakes[keyAlgorithm] })

  const now = clock.now()
  const code = await checkGivenCode(deps, { userId: caller.userId, code: input.enrolmentCode, now })
  const state = await storage.devices.registrationState(caller.userId, deviceFingerprint)
  if (state.fingerprintTaken) throw new DeviceAlreadyRegistered()
  if (state.devices >= options.devicesPerUser) throw new TooManyDevices(options.devicesPerUser)

  const subject = {
    deviceId: randomUuid(random),
    deviceName,
    deviceType,
    deviceFingerprint,
    publicKey: toSpkiPem(key),
    keyAlgorithm,
    ...code,
  }
  const challenge = newChallenge(deps, { purpose: 'device_registration', userId: caller.userId, subject }, now)
  await storage.challenges.issue(challenge)
  return challenge
}
