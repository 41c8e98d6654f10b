import type { Countersign } from '@countersign/core'
import { registerTestDevice, signInByDevice, signInNewUser, testPassword } from '@countersign/core/testing'

/** Sends a request to the server, and resolves with the `data` of its response. */
type Send = (method: string, path: string, token?: string, body?: object) => Promise<Record<string, unknown>>

/** Prepares a request outside of the walk. The result sends the request. */
export type Walk = (given: Given) => Promise<() => Promise<unknown>>

type Given = Awaited<ReturnType<typeof prepare>>

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
  approve: async ({ send, device }) => {
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
export const prepare = async (countersign: Countersign, url: string) => {
  const test = { countersign }
  const { user: profile, caller } = await signInNewUser(test, { permissions: ['project.*'] })
  const user = { email: profile.email, password: testPassword }
  const registered = await registerTestDevice(test, caller)
  const { tokens } = await signInByDevice(test, registered)
  const device = { id: registered.device.id, sign: registered.signer.sign, token: tokens.accessToken }
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
  return { send, user, logIn: () => countersign.auth.login(user), device }
}
