import type { Checked } from '@countersign/contract'
import { type Instant, toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import type { Sealing } from '../../shared/crypto/field-encryption.ts'
import type { FromClient } from '../../shared/from-client.ts'
import type { IdentityDeps } from '../deps.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { isSameBound } from '../records/bound.ts'
import type { Challenge } from '../records/challenge.ts'
import type { Device, RegistrationEvidence } from '../records/device.ts'
import { isTrusted } from '../records/trust.ts'
import { refusedRegistration } from '../refusals.ts'
import type { InSession } from '../sessions/bound-of-caller.ts'
import { registerSigner, takeUsersChallenge } from '../signers/register-signer.ts'
import type { IdentityStores } from '../stores.ts'
import type { Registered } from '../trust/with-trust.ts'
import { deviceRegistrationText } from './device-challenge.ts'
import { checkedSignature, type DeviceProof, proofOfDevice } from './device-signature.ts'
import {
  DeviceAlreadyRegistered,
  InvalidDeviceSignature,
  RegistrationChallengeGone,
  RegistrationChallengeNotFound,
  TooManyDevices,
} from './errors.ts'
import { registrationNonce, sealRegistration } from './sealed-registration.ts'

/**
 * Registers the announced device if its key signed the challenge, which allows one attempt. The session of the caller must be live
 * when the device is stored (see `registerSigner`). If the user has the largest allowed number of devices, a trusted one replaces
 * the newest on probation.
 * @throws Invalid, RegistrationChallengeNotFound, RegistrationChallengeGone, InvalidDeviceSignature, InvalidAccessToken,
 * DeviceAlreadyRegistered, TooManyDevices
 * @example await countersign.devices.finishRegistration({ caller, sessionId, signedChallenge, address: request.ip })
 */
export async function finishRegistration(
  deps: IdentityDeps,
  input: Checked<'devices.finishRegistration'> & InSession & FromClient,
): Promise<Registered<Device>> {
  const { clock, options } = deps
  const signature = checkedSignature(input.signedChallenge)
  const now = clock.now()
  const asked = { id: input.sessionId, kind: 'device', userId: input.caller.userId, now } as const
  const refusals = { NotFound: RegistrationChallengeNotFound, Gone: RegistrationChallengeGone }
  const taken = await takeUsersChallenge(deps, asked, refusals)
  const { deviceId, enrolmentCodeHash, nonce: _, registeredWith = null, ...announced } = taken.subject
  const proof = proofOfDevice(announced, taken.challenge, signature)
  if (proof === undefined) throw refusedRegistration(deps, 'signature', asked, new InvalidDeviceSignature())

  const { userId, sessionId } = input.caller
  const evidence = evidenceOf(deps, taken, { ...proof, signature, userId, now })
  const unused = { pushToken: null, lastUsedAt: null, createdAt: now, updatedAt: now }
  const limit = options.devicesPerUser
  let removed: Awaited<ReturnType<typeof makeRoomForTrusted>>
  const registered = await registerSigner(deps, input, {
    kind: 'device',
    id: deviceId,
    name: announced.deviceName,
    type: announced.deviceType,
    keyThumbprint: evidence.keyThumbprint,
    enrolmentCodeHash,
    now,
    create: (given): Device => ({ ...announced, ...unused, ...given, id: deviceId, userId, registeredWith }),
    store: async (tx, device) => {
      removed = isTrusted(device, now) ? await makeRoomForTrusted(deps, tx, device, now) : undefined
      return tx.devices.register(device, sessionId, limit, evidence)
    },
    refusals: { fingerprint_taken: () => new DeviceAlreadyRegistered(), too_many: () => new TooManyDevices(limit) },
  })
  if (removed !== undefined) {
    deps.endings.announce(removed.settled)
    notifyOfChange(deps, { userId, change: 'device_removed', formerly: removed.device })
  }
  return registered
}

/**
 * Makes room for a trusted device: removes the newest device on probation with this bound, if the user has `devicesPerUser` devices
 * with it. So a thief who registers devices cannot keep the user from enrolling one. The caller has locked the row of the user.
 */
const makeRoomForTrusted = async (deps: IdentityDeps, tx: IdentityStores, { userId, tenants }: Device, now: Instant) => {
  const devices = (await tx.devices.allOfUser(userId)).filter((device) => isSameBound(device.tenants, tenants))
  const newest = devices.findLast((device) => !isTrusted(device, now))
  if (devices.length < deps.options.devicesPerUser || newest === undefined) return undefined
  await tx.devices.remove(userId, newest.id, now)
  await tx.sessions.endAll({ userId, deviceId: newest.id }, 'device_removed', now)
  return { device: newest, settled: await deps.endings.sessionsEnded(tx, userId, now) }
}

type SignedRegistration = DeviceProof & { readonly signature: Uint8Array; readonly userId: number; readonly now: Instant }

/** Returns the evidence of a registration, with the statement that the device signed. */
const evidenceOf = (
  deps: Sealing,
  taken: Challenge<'device_registration'>,
  { over, keyThumbprint, signature, userId, now }: SignedRegistration,
): RegistrationEvidence => {
  const { deviceId, deviceFingerprint, publicKey, keyAlgorithm, nonce } = taken.subject
  const expiresAt = toIsoTimestamp(taken.expiresAt)
  const text = deviceRegistrationText({ deviceId, userId, keyThumbprint, deviceFingerprint, expiresAt })
  return {
    deviceId,
    userId,
    challenge: taken.challenge,
    ...sealRegistration(deps, deviceId, { nonce: registrationNonce.open(deps, taken.id, nonce), text }),
    algorithm: keyAlgorithm,
    signature: toBase64Url(signature),
    over,
    publicKey,
    keyThumbprint,
    registeredAt: now,
  }
}
