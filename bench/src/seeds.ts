import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import type { Countersign, TokenPair } from '@countersign/core'
import type { Sent } from './harness/http.ts'

const PERMISSIONS = ['project.read', 'project.create', 'invoice.approve']
const PASSWORD = 'correct horse battery staple'
/** The number of logins in parallel; more would not share a commit better. */
const GROUP = 100

const emailOf = (user: number): string => `user-${user}@bench.test`

/** Opens this many sessions for this many new users. The core must accept every password. */
export const signInMany = async (
  { users: accounts, auth }: Countersign,
  { users, sessions }: { readonly users: number; readonly sessions: number },
): Promise<readonly TokenPair[]> => {
  const employee = { id: 'e-1', name: 'Bench', avatarFileId: '' }
  const user = { name: 'Bench', employee, department: { id: 'd-1', name: 'Bench' }, permissions: PERMISSIONS }
  await Promise.all(Array.from({ length: users }, (_, number) => accounts.create({ ...user, email: emailOf(number) })))
  const pairs: TokenPair[] = []
  while (pairs.length < sessions) {
    const begun = pairs.length
    const group = Array.from({ length: Math.min(GROUP, sessions - begun) }, (_, index) =>
      auth.login({ email: emailOf((begun + index) % users), password: PASSWORD }),
    )
    pairs.push(...(await Promise.all(group)))
  }
  return pairs
}

/** Creates a user with a password, hashed with the default parameters. Returns the request of a login. */
export const passwordLogin = async ({ users }: Countersign): Promise<Sent> => {
  const body = { email: 'password@bench.test', password: PASSWORD }
  await users.create({ ...body, permissions: PERMISSIONS })
  return { method: 'POST', path: '/api/v1/auth/login', body }
}

/** The request with which a service verifies a token. */
export const verification = (token: string): Sent => ({
  method: 'GET',
  path: '/internal/verify',
  token,
  headers: { 'x-service-name': 'bench' },
})

/** Text as long as a row keeps of the statement of an ordinary payment, encrypted. */
export const aSealedStatement = (): string => randomBytes(1575).toString('base64')

/** A registered device with its private key, and a session that it opened. */
export interface HeldDevice {
  readonly userId: number
  readonly deviceId: string
  readonly deviceFingerprint: string
  /** PKCS#8 and SPKI in PEM. */
  readonly privateKey: string
  readonly publicKey: string
  /** The tokens of a session that the device opened. The access token is valid for 15 minutes. */
  readonly accessToken: string
  readonly refreshToken: string
}

/** Signs challenges as a phone does: ES256 over the received text. */
export const challengeSigner = ({ privateKey }: Pick<HeldDevice, 'privateKey'>): ((challenge: string) => string) => {
  const key = createPrivateKey(privateKey)
  return (challenge) => sign('sha256', Buffer.from(challenge, 'utf8'), { key, dsaEncoding: 'der' }).toString('base64')
}

/** A challenge with the signature of a device, and its check, which is repeated where a phone would sign each time. */
export const signedChallenge = (device: HeldDevice) => {
  const key = { key: createPublicKey(device.publicKey), dsaEncoding: 'der' as const }
  const challenge = randomBytes(64).toString('base64')
  const signature = Buffer.from(challengeSigner(device)(challenge), 'base64')
  const check = (): void => {
    if (!verify('sha256', Buffer.from(challenge, 'utf8'), key, signature)) throw new Error('the signature does not fit')
  }
  return { challenge, check }
}

/** Creates this many users, each with one device, which logs in. The core must accept every password. */
export const holdDevices = async (countersign: Countersign, count: number): Promise<readonly HeldDevice[]> => {
  const { auth, devices, mobile } = countersign
  const pairs = await signInMany(countersign, { users: count, sessions: count })
  const hold = async ({ accessToken: token }: TokenPair, number: number): Promise<HeldDevice> => {
    const caller = await auth.authenticate({ token })
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'prime256v1',
      publicKeyEncoding: { format: 'pem', type: 'spki' },
      privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    })
    const signChallenge = challengeSigner({ privateKey })
    const deviceFingerprint = `bench-device-${number}-fingerprint`
    const key = { deviceFingerprint, publicKey, keyAlgorithm: 'ES256' } as const
    const announced = await devices.beginRegistration({ caller, deviceName: `Bench ${number}`, deviceType: 'mobile', ...key })
    const registration = { caller, sessionId: announced.id, signedChallenge: signChallenge(announced.challenge) }
    const { id: deviceId } = await devices.finishRegistration(registration)
    const { id: sessionId, challenge } = await mobile.beginLogin({ deviceFingerprint })
    const pair = await mobile.finishLogin({ sessionId, signedChallenge: signChallenge(challenge) })
    const { accessToken, refreshToken } = pair
    return { userId: caller.userId, deviceId, deviceFingerprint, privateKey, publicKey, accessToken, refreshToken }
  }
  return Promise.all(pairs.map(hold))
}

/** Creates one user with a device. */
export const holdDevice = async (countersign: Countersign): Promise<HeldDevice> => {
  const [device] = await holdDevices(countersign, 1)
  if (device === undefined) throw new Error('nobody holds a device')
  return device
}

/** The action of every confirmation. */
export const confirmedAction = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'ACME GmbH', reference: 'Invoice 2026-117' },
}

/** Initiates a confirmation through the core, and approves it by a device. Returns its id. */
export const approvePayment = async ({ auth, confirmations }: Countersign, device: HeldDevice): Promise<string> => {
  const caller = await auth.authenticate({ token: device.accessToken })
  const { id: confirmationId, challenge } = await confirmations.initiate({ caller, ...confirmedAction })
  const signedChallenge = challengeSigner(device)(challenge)
  await confirmations.approve({ caller, confirmationId, deviceId: device.deviceId, signedChallenge })
  return confirmationId
}
