import type { Checked } from '@countersign/contract'
import { toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { parseDeviceKey, toSpkiPem } from '../../shared/crypto/device-key.ts'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import { Invalid } from '../../shared/errors.ts'
import { randomUuid } from '../../shared/random.ts'
import type { Caller } from '../authentication/caller.ts'
import { newChallengeRow } from '../challenges/new-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { checkGivenCode } from '../one-time-codes/enrolment-code.ts'
import { isSameBound } from '../records/bound.ts'
import type { Challenge } from '../records/challenge.ts'
import { isTrusted } from '../records/trust.ts'
import { refusedRegistration } from '../refusals.ts'
import { boundOfCaller, holdSession } from '../sessions/bound-of-caller.ts'
import { type CommittedChallenge, deviceRegistrationChallenge, NONCE_BYTES } from './device-challenge.ts'
import { DeviceAlreadyRegistered, TooManyDevices } from './errors.ts'
import { registrationNonce } from './sealed-registration.ts'

const rsaKeyTakes = 'must be one PEM public key (SPKI or PKCS#1) of RSA with 2048 to 8192 bits and exponent 65537'

const keyTakes = {
  ES256: 'must be one PEM public key (SPKI) on the named curve P-256, with an uncompressed point',
  RS256: rsaKeyTakes,
  PS256: rsaKeyTakes,
} as const

/**
 * Begins the registration of a device, which must sign the challenge. The returned device id becomes the id of the device. With an
 * enrolment code, the device will be trusted.
 * @throws Invalid, DeviceAlreadyRegistered, TooManyDevices, InvalidAccessToken
 * @example const { id, challenge, nonce } = await countersign.devices.beginRegistration({ caller, ...body })
 */
export async function beginRegistration(
  deps: IdentityDeps,
  input: Checked<'devices.beginRegistration'> & { readonly caller: Caller },
): Promise<CommittedChallenge<'device_registration'>> {
  const { storage, clock, random, options } = deps
  const { caller, deviceName, deviceType, deviceFingerprint, keyAlgorithm, registeredWith } = input
  const key = parseDeviceKey(input.publicKey, keyAlgorithm)
  const by = { kind: 'device', userId: caller.userId } as const
  if (key === undefined) throw refusedRegistration(deps, 'key', by, new Invalid({ publicKey: keyTakes[keyAlgorithm] }))

  const now = clock.now()
  const code = await checkGivenCode(deps, { userId: caller.userId, code: input.enrolmentCode })
  const tenants = code.enrolmentCodeHash === undefined ? await boundOfCaller(deps, caller) : null
  const devices = (await storage.devices.allOfUser(caller.userId)).filter((device) => isSameBound(device.tenants, tenants))
  if (devices.some((device) => device.deviceFingerprint === deviceFingerprint)) {
    throw refusedRegistration(deps, 'fingerprint_taken', by, new DeviceAlreadyRegistered())
  }
  // A trusted device can take the place of a device on probation. Only the end of the registration knows whether it is trusted.
  if (devices.length >= options.devicesPerUser && devices.every((device) => isTrusted(device, now))) {
    throw refusedRegistration(deps, 'too_many', by, new TooManyDevices(options.devicesPerUser))
  }

  const row = newChallengeRow(deps, now)
  const deviceId = randomUuid(random)
  const nonce = random.bytes(NONCE_BYTES)
  const subject = {
    deviceId,
    deviceName,
    deviceType,
    deviceFingerprint,
    publicKey: toSpkiPem(key),
    keyAlgorithm,
    ...(registeredWith !== undefined && { registeredWith }),
    nonce: registrationNonce.seal(deps, row.id, toBase64(nonce)),
    ...code,
  }
  const { userId } = caller
  const statement = {
    deviceId,
    userId,
    keyThumbprint: jwkThumbprint(key),
    deviceFingerprint,
    expiresAt: toIsoTimestamp(row.expiresAt),
  }
  const challenge: Challenge<'device_registration'> = {
    ...row,
    purpose: 'device_registration',
    userId,
    challenge: deviceRegistrationChallenge(nonce, statement),
    subject,
  }
  await storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    await tx.challenges.issue(challenge)
  })
  return { ...challenge, nonce: toBase64(nonce) }
}
