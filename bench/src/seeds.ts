import type { Countersign, TokenPair } from '@countersign/core'
import { createTestDevice, testPassword as password, registerTestDevice, signInByDevice } from '@countersign/core/testing'
import { challengeSigner, confirmedAction, type HeldDevice } from './device.ts'
import type { Sent } from './harness/http.ts'

const permissions = ['project.read', 'project.create', 'invoice.approve']
/** The number of logins in parallel; more would not share a commit better. */
const GROUP = 100

const emailOf = (user: number): string => `user-${user}@bench.test`

/** Opens this many sessions for this many new users. The core must accept every password. */
export const signInMany = async (countersign: Countersign, users: number, sessions = users): Promise<readonly TokenPair[]> => {
  const employee = { id: 'e-1', name: 'Bench', avatarFileId: '' }
  const user = { name: 'Bench', employee, department: { id: 'd-1', name: 'Bench' }, permissions }
  await Promise.all(Array.from({ length: users }, (_, number) => countersign.users.create({ ...user, email: emailOf(number) })))
  const pairs: TokenPair[] = []
  while (pairs.length < sessions) {
    const begun = pairs.length
    const group = Array.from({ length: Math.min(GROUP, sessions - begun) }, (_, index) =>
      countersign.auth.login({ email: emailOf((begun + index) % users), password }),
    )
    pairs.push(...(await Promise.all(group)))
  }
  return pairs
}

/** Creates this many users with passwords, hashed with the default parameters. Returns the requests of their logins. */
export const passwordLogins = ({ users }: Countersign, count: number): Promise<readonly Sent[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, number): Promise<Sent> => {
      const body = { email: `password-${number}@bench.test`, password }
      await users.create({ ...body, permissions })
      return { method: 'POST', path: '/api/v1/auth/login', body }
    }),
  )

/** The request with which a service verifies a token. */
export const introspection = ({ accessToken: token }: Pick<TokenPair, 'accessToken'>): Sent => ({
  method: 'GET',
  path: '/internal/verify',
  token,
  headers: { 'x-service-name': 'bench' },
})

/** Creates this many users, each with one device, which logs in. The core must accept every password. */
export const holdDevices = async (countersign: Countersign, count: number): Promise<readonly HeldDevice[]> => {
  const pairs = await signInMany(countersign, count)
  const hold = async ({ accessToken: token }: TokenPair): Promise<HeldDevice> => {
    const registering = await countersign.auth.authenticate({ token })
    const registered = await registerTestDevice({ countersign }, registering, { signer: createTestDevice('ES256') })
    const { tokens, caller } = await signInByDevice({ countersign }, registered)
    const { device, signer } = registered
    const privateKey = signer.keyPair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    return { ...tokens, userId: caller.userId, deviceId: device.id, deviceFingerprint: device.deviceFingerprint, privateKey }
  }
  const held: HeldDevice[] = []
  while (held.length < count) held.push(...(await Promise.all(pairs.slice(held.length, held.length + GROUP).map(hold))))
  return held
}

/** Creates a user with a device, in whose name calls are made. `approve` initiates a confirmation and approves it. */
export const holdDevice = async (countersign: Countersign) => {
  const [device] = await holdDevices(countersign, 1)
  if (device === undefined) throw new Error('nobody holds a device')
  const caller = await countersign.auth.authenticate({ token: device.accessToken })
  const sign = challengeSigner(device)
  const approve = async (): Promise<string> => {
    const { id: confirmationId, challenge } = await countersign.confirmations.initiate({ caller, ...confirmedAction })
    const approval = { caller, confirmationId, deviceId: device.deviceId, signedChallenge: sign(challenge) }
    await countersign.confirmations.approve(approval)
    return confirmationId
  }
  return { ...device, caller, sign, approve }
}
