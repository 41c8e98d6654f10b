import { canonicalMembers, commitsTo, is64Bytes } from './challenge.ts'
import { checkDeviceSignature, type DeviceSignature } from './device-signature.ts'
import { hasExactly, isTimestamp } from './strict-text.ts'
import { type CheckedReceipt, type Demand, demandOf } from './verdict.ts'

const demand: Demand = demandOf('registration')

const DOMAIN = 'countersign.device-registration.v1'

interface Registration extends DeviceSignature {
  readonly challenge: string
  readonly nonce: string
  readonly text: string
  readonly registeredAt: unknown
}

/** The device as the receipt names it, and the approval that its key signed. */
export interface NamedDevice {
  readonly id: string
  readonly jwk: unknown
  readonly keyThumbprint: string
  readonly algorithm: unknown
  readonly approvedAt: string
  /** The user of the statement; `undefined` if no statement is disclosed. */
  readonly userId: number | undefined
}

/** Checks that the device proved at its registration that it holds the key. @throws Refused */
export const checkRegistration = async (
  subtle: SubtleCrypto,
  disclosed: unknown,
  device: NamedDevice,
): Promise<Exclude<CheckedReceipt['registration'], string | undefined>> => {
  const isWhole = hasExactly(disclosed, 'alg,challenge,nonce,over,registeredAt,text,value')
  demand(isWhole && is64Bytes(disclosed.nonce) && is64Bytes(disclosed.challenge), 'The registration is malformed')
  const { challenge, nonce, text, registeredAt } = disclosed as unknown as Registration
  const members = canonicalMembers(text)
  demand(
    hasExactly(members, 'deviceFingerprint,deviceId,expiresAt,keyThumbprint,userId'),
    'The registration has missing or unknown members',
  )
  demand(
    await commitsTo(subtle, challenge, { domain: DOMAIN, nonce, text }),
    'The challenge of the registration does not include the hash of its text',
  )
  const { deviceId, userId, keyThumbprint, deviceFingerprint } = members
  demand(deviceId === device.id && keyThumbprint === device.keyThumbprint, 'The registration is that of another device')
  demand(
    Number.isSafeInteger(userId) && typeof deviceFingerprint === 'string' && isTimestamp(members.expiresAt),
    'The registration has members of wrong types',
  )
  demand((device.userId ?? userId) === userId, 'The registration is that of another user')
  demand(isTimestamp(registeredAt) && registeredAt <= device.approvedAt, 'The device was registered after the approval')
  demand(disclosed.alg === device.algorithm, 'The registration names another algorithm')
  await checkDeviceSignature(subtle, device.jwk, disclosed as unknown as DeviceSignature, challenge, 'registration')
  return { registeredAt, userId: userId as number, deviceFingerprint: deviceFingerprint }
}
