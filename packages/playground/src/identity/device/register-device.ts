import type { Pane } from '../../pane/pane.ts'
import { refuseData, storesData } from '../../shared/stored-data.ts'
import { registrationChallenge } from './device-challenge.ts'
import { generateKey, signChallenge } from './device-key.ts'
import { keepKey } from './key-store.ts'

export interface RegisterDevice {
  readonly deviceName: string
  /** The access token of the device's owner. */
  readonly token: string
}

/**
 * Registers this browser as a device: announces a new key, and signs the challenge that proves possession of the private key.
 * The page signs only a challenge that covers this registration.
 * The browser stores the key only after the service has accepted the key.
 * @throws DataRefused
 */
export const registerDevice = async ({ client }: Pane, { deviceName, token }: RegisterDevice): Promise<string> => {
  // The service would keep a device whose key is lost.
  if (!storesData.value) throw refuseData()
  const key = { ...(await generateKey()), deviceName, deviceFingerprint: `browser-${crypto.randomUUID()}` }
  const { publicKey, deviceFingerprint } = key
  const deviceType = matchMedia('(pointer: coarse)').matches ? 'mobile' : 'desktop'
  const announced = await client.devices.beginRegistration(
    { deviceName, deviceType, deviceFingerprint, publicKey, keyAlgorithm: 'ES256' },
    { token },
  )
  const signedChallenge = await signChallenge(key, await registrationChallenge(key, announced, token))
  const { deviceId, device, matchNumber } = await client.devices.finishRegistration(
    { sessionId: announced.sessionId, signedChallenge },
    { token },
  )
  await keepKey({ ...key, deviceId })
  return `Registered as “${deviceName}”${probationOf(device.trusted, matchNumber)}.`
}

/** Tells how a device on probation becomes trusted. */
const probationOf = (trusted: boolean | undefined, matchNumber: string | undefined): string => {
  if (trusted !== false) return ''
  return matchNumber === undefined ? ', on probation' : `, on probation. Type ${matchNumber} on a trusted phone to vouch for it`
}
