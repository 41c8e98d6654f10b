import type * as Sdk from '../index.ts'

/** The addresses of a walk, as plain data that another runtime can read. */
export interface Way {
  /** The URL of a real server, on which a user has all permissions for projects. */
  readonly baseUrl: string
  readonly email: string
  readonly password: string
  /** The URL of a server that never responds, except that paths below `/elsewhere` redirect to the real server. */
  readonly silentUrl: string
  /** A URL at which no server listens. */
  readonly deadUrl: string
}

const payment = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'Ada’s Workshop', note: { z: [1e21, 0.1, 'ü'], a: null } },
} as const

const check = (what: string, isSo: boolean): void => {
  if (!isSo) throw new Error(`Not so: ${what}`)
}

/** Returns the code with which a call rejects, or a description of another outcome. */
const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (error: unknown) => (error as { readonly code?: string }).code ?? error,
  )

const signIn = async ({ createClient, memoryTokenStore }: typeof Sdk, { baseUrl, email, password }: Way) => {
  const store = memoryTokenStore()
  const client = createClient({ baseUrl, store })
  const refused = await codeOf(client.auth.login({ email, password: 'a guess' }))
  check('a wrong password is refused', refused === 'WRONG_PASSWORD')
  await client.auth.login({ email, password })
  return { client, store }
}

/** Checks that a refused token is renewed once, however many calls wait for the renewal. */
const renew = async (client: Sdk.Client, store: Sdk.TokenStore): Promise<void> => {
  const before = await store.get()
  if (before === undefined) throw new Error('No tokens are kept')
  await store.set({
    ...before,
    accessToken: before.accessToken.replace(/[^.]+$/, (signature) => [...signature].reverse().join('')),
  })
  await Promise.all([client.devices.list(), client.devices.list(), client.projects.list({ limit: 1 })])
  check('tokens are renewed', (await store.get())?.refreshToken !== before.refreshToken)
}

const approve = async ({ createClient, keyPairSigner }: typeof Sdk, { baseUrl }: Way, web: Sdk.Client): Promise<void> => {
  const keyPair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
  const signer = keyPairSigner({ deviceFingerprint: `walk-${crypto.randomUUID()}`, keyPair })
  const { deviceId } = await web.devices.register({ signer, deviceName: 'Walk', deviceType: 'mobile' })
  const phone = createClient({ baseUrl })
  await phone.mobile.login({ signer })

  const requested = await web.confirmations.request(payment)
  const [shown] = (await phone.confirmations.pending()).confirmations
  if (shown === undefined) throw new Error('Nothing waits')
  if (shown.actionType !== 'payment_approval') throw new Error('The action is not a payment')
  const forged = { ...shown, userId: -1, actionPayload: { ...payment.actionPayload, amount: 1 } }
  check('a mismatch is not signed', (await codeOf(phone.confirmations.approve(forged, signer))) === 'CHALLENGE_MISMATCH')
  await phone.confirmations.approve(shown, signer)
  check('an approval is learned of', (await requested.settled()).status === 'approved')
  check('a second use is refused', (await codeOf(phone.confirmations.approve(shown, signer))) === 'GONE')

  await web.devices.remove({ deviceId })
  check('a removed device is out', (await codeOf(phone.confirmations.pending())) === 'SESSION_ENDED')
}

const giveUp = async ({ createClient }: typeof Sdk, { silentUrl, deadUrl }: Way): Promise<void> => {
  const silent = createClient({ baseUrl: silentUrl })
  check('a call ends with its time', (await codeOf(silent.health.check({}, { timeout: 200 }))) === 'TIMEOUT')
  const controller = new AbortController()
  const reason = new Error('enough')
  const aborted = codeOf(silent.health.check({}, { signal: controller.signal }))
  controller.abort(reason)
  check('a call ends with its signal', (await aborted) === reason)
  check(
    'redirects are not followed',
    (await codeOf(createClient({ baseUrl: `${silentUrl}/elsewhere` }).health.check())) === 'UNEXPECTED_ANSWER',
  )
  check(
    'a dead service is reported',
    (await codeOf(createClient({ baseUrl: deadUrl, retries: 0 }).health.check())) === 'NETWORK_ERROR',
  )
}

/** Uses the client as an app on this platform does, from login to logout. Rejects at the first wrong result. */
export const walk = async (sdk: typeof Sdk, way: Way): Promise<void> => {
  const { client, store } = await signIn(sdk, way)
  for await (const project of client.projects.list({ limit: 1 })) check('projects have names', project.name !== '')
  await renew(client, store)
  await approve(sdk, way, client)
  await giveUp(sdk, way)
  await client.auth.logout()
  check('nobody is signed in any more', (await client.accessToken()) === undefined)
}
