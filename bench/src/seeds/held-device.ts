import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Caller, Countersign } from '@countersign/core'
import { signInMany } from './sign-in.ts'

/** A registered device with its private key, and a session that it opened. */
export interface HeldDevice {
  readonly deviceId: string
  readonly deviceFingerprint: string
  /** PKCS#8 in PEM. */
  readonly privateKey: string
  /** SPKI in PEM. */
  readonly publicKey: string
  /** The token of a biometric session, valid for 15 minutes. */
  readonly accessToken: string
  readonly refreshToken: string
  readonly userId: number
}

/** Signs challenges as a phone does: ES256 over the received text. */
export const challengeSigner = ({ privateKey }: Pick<HeldDevice, 'privateKey'>): ((challenge: string) => string) => {
  const key = createPrivateKey(privateKey)
  return (challenge) => sign('sha256', Buffer.from(challenge, 'utf8'), { key, dsaEncoding: 'der' }).toString('base64')
}

/** Registers a device for the caller and logs in with it. */
const holdDevice = async ({ devices, mobile }: Countersign, caller: Caller, number: number): Promise<HeldDevice> => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  })
  const signChallenge = challengeSigner({ privateKey })
  const deviceFingerprint = `bench-device-${number}-fingerprint`
  const announced = await devices.beginRegistration({
    caller,
    deviceName: `Bench ${number}`,
    deviceType: 'mobile',
    deviceFingerprint,
    publicKey,
    keyAlgorithm: 'ES256',
  })
  const device = await devices.finishRegistration({
    caller,
    sessionId: announced.id,
    signedChallenge: signChallenge(announced.challenge),
  })
  const challenge = await mobile.beginLogin({ deviceFingerprint })
  const { accessToken, refreshToken } = await mobile.finishLogin({
    sessionId: challenge.id,
    signedChallenge: signChallenge(challenge.challenge),
  })
  return { deviceId: device.id, deviceFingerprint, privateKey, publicKey, accessToken, refreshToken, userId: caller.userId }
}

/** Creates this many users, each with one device. The core must accept every password. */
export const holdDevices = async (countersign: Countersign, count: number): Promise<readonly HeldDevice[]> => {
  const pairs = await signInMany(countersign, { users: count, sessions: count })
  return Promise.all(
    pairs.map(async ({ accessToken }, number) =>
      holdDevice(countersign, await countersign.auth.authenticate({ token: accessToken }), number),
    ),
  )
}
