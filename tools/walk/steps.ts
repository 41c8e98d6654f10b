import { generateKeyPairSync, sign } from 'node:crypto'
import type { Countersign } from '@countersign/core'

/** Sends a request to the server, and resolves with the `data` of its response. */
type Send = (method: string, path: string, token?: string, body?: object) => Promise<Record<string, unknown>>

/** Prepares a request outside of the walk. The result sends the request. */
export type Walk = (given: Given) => Promise<() => Promise<unknown>>

interface Given {
  readonly send: Send
  /** A user with a password. */
  readonly user: { readonly email: string; readonly password: string }
  /** Returns the tokens of a new session, opened by password. */
  readonly logIn: () => Promise<{ readonly accessToken: string; readonly refreshToken: string }>
  readonly device: { readonly id: string; readonly sign: (challenge: string) => string; readonly token: string }
}

const auth = '/api/v1/auth'
const payment = { actionType: 'payment_approval', actionPayload: { amount: 1250, currency: 'EUR', recipient: 'ACME GmbH' } }

/** The walks by their names on the command line. */
export const walks: Readonly<Record<string, Walk>> = {
  login:
    async ({ send, user }) =>
    () =>
      send('POST', `${auth}/login`, undefined, user),
  refresh: async ({ send, logIn }) => {
    const { refreshToken } = await logIn()
    return () => send('POST', `${auth}/refresh`, undefined, { refreshToken })
  },
  initiate: async ({ send, logIn }) => {
    const { accessToken } = await logIn()
    return () => send('POST', `${auth}/confirmation/initiate`, accessToken, payment)
  },
  verify: async ({ send, device }) => {
    const { confirmationId, challenge } = await send('POST', `${auth}/confirmation/initiate`, device.token, payment)
    const body = { deviceId: device.id, signedChallenge: device.sign(String(challenge)) }
    return () => send('POST', `${auth}/confirmation/${String(confirmationId)}/verify`, device.token, body)
  },
  projects: async ({ send, logIn }) => {
    const { accessToken } = await logIn()
    return () => send('GET', '/api/v1/projects', accessToken)
  },
}

/** Creates a user with a device through the core, for walks on the server at `url`. */
export const prepare = async ({ users, auth, devices, mobile }: Countersign, url: string): Promise<Given> => {
  const user = { email: 'walk@example.com', password: 'correct horse battery staple' }
  await users.create({ ...user, permissions: ['project.*'] })
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  })
  const signChallenge = (challenge: string): string => sign('sha256', Buffer.from(challenge), privateKey).toString('base64')
  const [deviceFingerprint, keyAlgorithm] = ['a-device-of-walks-only', 'ES256'] as const
  const caller = await auth.authenticate({ token: (await auth.login(user)).accessToken })
  const announcement = { caller, deviceName: 'Walk', deviceType: 'mobile', deviceFingerprint, publicKey, keyAlgorithm } as const
  const announced = await devices.beginRegistration(announcement)
  const registration = { caller, sessionId: announced.id, signedChallenge: signChallenge(announced.challenge) }
  const { id } = await devices.finishRegistration(registration)
  const login = await mobile.beginLogin({ deviceFingerprint })
  const tokens = await mobile.finishLogin({ sessionId: login.id, signedChallenge: signChallenge(login.challenge) })
  const send: Send = async (method, path, token, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`)
    return ((await response.json()) as { readonly data: Record<string, unknown> }).data
  }
  return { send, user, logIn: () => auth.login(user), device: { id, sign: signChallenge, token: tokens.accessToken } }
}
