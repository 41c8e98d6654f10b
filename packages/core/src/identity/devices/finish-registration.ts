import type { Checked } from '@countersign/contract'
import { type Instant, toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import type { SealedField, Sealing } from '../../shared/crypto/field-encryption.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import type { Caller } from '../authentication/caller.ts'
import { registerSigner } from '../challenges/register-signer.ts'
import { takeUsersChallenge } from '../challenges/take-users-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { Challenge } from '../records/challenge.ts'
import type { Device } from '../records/device.ts'
import type { RegistrationEvidence } from '../records/registration-evidence.ts'
import { isTrusted } from '../records/trust.ts'
import { refusedRegistration } from '../refusals.ts'
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
import { makeRoomForTrusted } from './make-room.ts'
import { registrationNonce, sealRegistration } from './sealed-registration.ts'

/**
 * Registers the announced device if its key signed the challenge. The challenge is consumed before any cryptography, so that
 * each challenge allows one attempt. The session of the caller must be live when the device is stored. `initialTrust` decides
 * whether the device is trusted or on probation. A trusted device of the user is asked to vouch for a device on probation. If the
 * user has the largest allowed number of devices, a trusted one replaces the newest on probation. The user's devices are notified.
 * @throws Invalid, RegistrationChallengeNotFound, RegistrationChallengeGone, InvalidDeviceSignature, InvalidAccessToken,
 *   DeviceAlreadyRegistered, TooManyDevices
 * @example await countersign.devices.finishRegistration({ caller, sessionId, signedChallenge, address: request.ip })
 */
export async function finishRegistration(
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'vouching' | 'endings' | 'options'>,
  input: Checked<'devices.finishRegistration'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId'> } & FromClient,
): Promise<Registered<Device>> {
  const { clock, options } = deps
  const signature = checkedSignature(input.signedChallenge)
  const now = clock.now()
  const asked = { id: input.sessionId, kind: 'device', userId: input.caller.userId, now } as const
  const refusals = { NotFound: RegistrationChallengeNotFound, Gone: RegistrationChallengeGone }
  const taken = await takeUsersChallenge(deps, asked, refusals)
  const { deviceId, enrolmentCodeHash, nonce, registeredWith = null, ...announced } = taken.subject
  const proof = proofOfDevice(announced, taken.challenge, signature)
  if (proof === undefined) throw refusedRegistration(deps, 'signature', asked, new InvalidDeviceSignature())

  const { userId, sessionId } = input.caller
  const evidence = evidenceOf(deps, { ...proof, taken, nonce, signature, userId, now })
  const unused = { pushToken: null, lastUsedAt: null, createdAt: now, updatedAt: now }
  const limit = options.devicesPerUser
  let removed: Awaited<ReturnType<typeof makeRoomForTrusted>>
  const registered = await registerSigner(deps, {
    kind: 'device',
    userId,
    id: deviceId,
    name: announced.deviceName,
    type: announced.deviceType,
    keyThumbprint: evidence.keyThumbprint,
    requestedFrom: seenClient(input),
    registeredBy: sessionId,
    enrolmentCodeHash,
    now,
    create: (given): Device => ({ ...announced, ...unused, ...given, id: deviceId, userId, registeredWith }),
    store: async (tx, device) => {
      removed = isTrusted(device, now) ? await makeRoomForTrusted(deps, tx, { ...device, limit, now }) : undefined
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

interface SignedRegistration extends DeviceProof {
  readonly taken: Challenge<'device_registration'>
  readonly nonce: SealedField
  readonly signature: Uint8Array
  readonly userId: number
  readonly now: Instant
}

/** Returns the evidence of a registration, with the statement that the device signed. */
const evidenceOf = (
  deps: Sealing,
  { taken, nonce, signature, over, keyThumbprint, userId, now }: SignedRegistration,
): RegistrationEvidence => {
  const { deviceId, deviceFingerprint, publicKey, keyAlgorithm } = taken.subject
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
