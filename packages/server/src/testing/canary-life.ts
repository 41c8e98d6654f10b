import type { Output } from '@countersign/contract'
import { errors, type KeyRing } from '@countersign/core'
import {
  anAnnouncement,
  createTestDevice,
  createTestUser,
  createVirtualPasskey,
  generateDeviceKeyPair,
  type LogEntry,
} from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { type Canaries, formsOf, formsOfBase64 } from './canaries.ts'
import { createTestApp, type SendOptions, type TestAnswer, type TestApp } from './test-app.ts'

const secrets = {
  password: 'canary Pässword/7f3a91?&',
  wrongPassword: 'canary-wrong-Pässword-62c0+=',
  pushToken: 'canary:push/token+41d8==',
  recipient: 'canary-Recipient-of-9e05 GmbH',
  reason: 'canary: the reason is ä 5b1c',
  failure: "canary-failure-4a7d select * from users where token='x'",
  malformed: 'canary-malformed-d2e6',
} as const

/** A response, and the secrets that its operation is meant to return. */
export interface Sent {
  readonly what: string
  readonly answer: TestAnswer
  readonly gives: readonly string[]
}

export interface CanaryLife {
  readonly sent: readonly Sent[]
  /** Every log entry. */
  readonly entries: readonly LogEntry[]
  readonly canaries: Canaries
}

/** Creates a storage whose next call of `challenges.issue` can be made to fail. */
const failingStorage = async () => {
  const storage = await createTestStorage()
  let failure: Error | undefined
  const issue: typeof storage.challenges.issue = async (challenge) => {
    const error = failure
    failure = undefined
    if (error !== undefined) throw error
    return storage.challenges.issue(challenge)
  }
  const failNext = (error: Error) => {
    failure = error
  }
  return { storage: { ...storage, challenges: { ...storage.challenges, issue } }, failNext }
}

/** Runs the life cycle. Also collects the secrets that the service generates meanwhile. */
const live = async (test: TestApp, failNext: (error: Error) => void): Promise<Pick<CanaryLife, 'sent' | 'canaries'>> => {
  const sent: Sent[] = []
  const given: Record<string, readonly string[]> = {}
  /**
   * Calls an operation and records its response. `gives` names the secret members of `data`, which the client knows afterwards.
   */
  const call = async (
    name: Parameters<TestApp['call']>[0],
    input: Readonly<Record<string, unknown>>,
    options?: SendOptions,
    gives: readonly string[] = [],
  ): Promise<Record<string, string>> => {
    const answer = await test.call(name, input, options)
    const { data = {} } = (answer.body ?? {}) as { data?: Record<string, unknown> }
    const values = { ...data, ...(data.tokens as Record<string, string> | undefined) } as Record<string, string>
    const names = gives.filter((member) => values[member] !== undefined).map((member) => `${member} of ${name} ${sent.length}`)
    names.forEach((key, at) => {
      given[key] = formsOfBase64(values[gives[at] ?? ''] ?? '')
    })
    sent.push({ what: `${name} ${answer.status}`, answer, gives: names })
    return values
  }
  const tokens = ['accessToken', 'refreshToken']
  /** Begins a ceremony. Its challenge counts as a secret. */
  const begin = async <N extends 'passkeys.beginRegistration' | 'passkeys.beginLogin'>(
    name: N,
    input: Readonly<Record<string, unknown>>,
    options?: SendOptions,
  ): Promise<Output<N>> => {
    const answer = await test.call(name, input, options)
    const { data } = answer.body as { readonly data: Output<N> }
    const key = `challenge of ${name} ${sent.length}`
    given[key] = formsOfBase64(data.publicKey.challenge)
    sent.push({ what: `${name} ${answer.status}`, answer, gives: [key] })
    return data
  }

  const user = await createTestUser(test, { password: secrets.password })
  const login = { email: user.email, password: secrets.password }
  await call('auth.login', { ...login, password: secrets.wrongPassword })
  await call('auth.login', { email: secrets.malformed, password: secrets.password })
  await call('auth.login', { ...login, rememberMe: secrets.malformed })
  const first = await call('auth.login', login, {}, tokens)
  const token = { token: first.accessToken ?? '' }
  const next = await call('auth.refresh', { refreshToken: first.refreshToken }, {}, tokens)

  const signer = createTestDevice('ES256')
  const announcement = { ...anAnnouncement(signer), publicKey: signer.publicKey }
  await call(
    'devices.beginRegistration',
    { ...announcement, publicKey: signer.keyPair.privateKey.export({ format: 'pem', type: 'pkcs8' }) },
    token,
  )
  const begun = await call('devices.beginRegistration', announcement, token, ['challenge'])
  const signedRegistration = signer.sign(begun.challenge ?? '')
  given['the signature of the registration'] = formsOfBase64(signedRegistration)
  const { deviceId } = await call(
    'devices.finishRegistration',
    { sessionId: begun.sessionId, signedChallenge: signedRegistration },
    token,
  )
  await call('devices.finishRegistration', { sessionId: begun.sessionId, signedChallenge: signedRegistration }, token)
  await call('devices.beginRegistration', announcement, token)
  await call('devices.setPushToken', { deviceId, pushToken: secrets.pushToken }, token)
  await call('devices.setPushToken', { deviceId: secrets.malformed, pushToken: secrets.pushToken }, token)

  const deviceFingerprint = announcement.deviceFingerprint
  const challenged = await call('mobile.beginLogin', { deviceFingerprint }, {}, ['challenge'])
  const loginInput = { sessionId: challenged.sessionId, signedChallenge: signer.sign(challenged.challenge ?? '') }
  const mobile = await call('mobile.finishLogin', loginInput, {}, tokens)
  await call('mobile.finishLogin', loginInput)
  const deviceToken = { token: mobile.accessToken ?? '' }

  const actionPayload = { amount: 12.5, currency: 'EUR', recipient: secrets.recipient }
  const payment = { actionType: 'payment_approval', actionPayload }
  await call('confirmations.initiate', { actionType: 'payment_approval', actionPayload: { recipient: secrets.recipient } }, token)
  const confirmation = await call('confirmations.initiate', payment, token, ['challenge'])
  test.push.failWith(new Error(secrets.failure))
  await test.background.drain()
  await call('confirmations.pending', {}, deviceToken, [])
  const approval = {
    confirmationId: confirmation.confirmationId,
    deviceId,
    signedChallenge: signer.sign(confirmation.challenge ?? ''),
  }
  await call('confirmations.verify', { ...approval, signedChallenge: signer.sign('another') }, deviceToken)
  await call('confirmations.verify', approval, token)
  await call('confirmations.verify', approval, deviceToken)
  await call('confirmations.verify', approval, deviceToken)
  const refused = await call('confirmations.initiate', payment, token, ['challenge'])
  await call('confirmations.reject', { confirmationId: refused.confirmationId, reason: secrets.reason }, token)
  await call('confirmations.reject', { confirmationId: refused.confirmationId, reason: secrets.reason }, token)
  await call('confirmations.status', { confirmationId: refused.confirmationId }, token)
  await call('confirmations.status', { confirmationId: secrets.malformed }, token)

  const keyPair = generateDeviceKeyPair('ES256')
  const virtual = createVirtualPasskey({ keyPair })
  const creating = await begin('passkeys.beginRegistration', {}, token)
  const created = { challengeId: creating.challengeId, credential: virtual.create(creating.publicKey) }
  await call('passkeys.finishRegistration', { ...created, credential: { ...created.credential, id: secrets.malformed } }, token)
  await call('passkeys.finishRegistration', created, token)
  await call('passkeys.finishRegistration', created, token)
  const again = await begin('passkeys.beginRegistration', { userVerification: 'required' }, token)
  await call(
    'passkeys.finishRegistration',
    { challengeId: again.challengeId, credential: virtual.create(again.publicKey) },
    token,
  )
  const asking = await begin('passkeys.beginLogin', { email: user.email })
  const evil = virtual.get(asking.publicKey, { clientData: { origin: `https://${secrets.malformed}.test` } })
  await call('passkeys.finishLogin', { challengeId: asking.challengeId, credential: evil })
  const answering = await begin('passkeys.beginLogin', {})
  const answer = virtual.get(answering.publicKey)
  given['the signature of the passkey'] = formsOfBase64(answer.response.signature)
  await call('passkeys.finishLogin', { challengeId: answering.challengeId, credential: answer }, {}, tokens)
  await call('passkeys.finishLogin', { challengeId: answering.challengeId, credential: answer })
  await call('passkeys.list', {}, token)
  await call('passkeys.rename', { credentialId: virtual.id, name: `${secrets.malformed}!` }, token)
  await call('passkeys.rename', { credentialId: secrets.malformed, name: 'Mine' }, token)
  await call('passkeys.remove', { credentialId: virtual.id }, token)
  await call('passkeys.remove', { credentialId: virtual.id }, token)
  given['the private key of the passkey'] = formsOf(String(keyPair.privateKey.export({ format: 'pem', type: 'pkcs8' })))

  const service = await test.countersign.serviceTokens.issue({ service: 'billing', scopes: ['verify'] })
  given['the service token'] = formsOf(service.token)
  for (const shown of [service.token, deviceToken.token, mobile.refreshToken, secrets.malformed]) {
    await call('internal.verify', { serviceName: 'billing' }, { token: shown ?? '' })
  }
  await call('internal.verify', { serviceName: `${secrets.malformed}!` }, token)

  const scopes = ['initiate', 'read', 'redeem'].map((verb) => `confirmation.${verb}:payment_approval`)
  const billing = { token: (await test.countersign.serviceTokens.issue({ service: 'billing', scopes })).token }
  given['the token of billing'] = formsOf(billing.token)
  const asked = { userId: user.id, ...payment }
  const ofService = await call('services.initiate', asked, billing)
  await call('services.initiate', asked, service)
  await call('services.initiate', asked, deviceToken)
  const { confirmationId } = confirmation
  await call('services.confirmation', { confirmationId: ofService.confirmationId }, billing)
  await call('services.redeem', { confirmationId: ofService.confirmationId, ...asked }, billing)
  await call('services.receipt', { confirmationId }, billing)
  await call('services.redeem', { confirmationId, ...asked, actionPayload: { ...actionPayload, amount: 13 } }, billing)
  await call('services.redeem', { confirmationId, ...asked, idempotencyKey: secrets.malformed }, billing)
  await call('services.redeem', { confirmationId, ...asked }, billing)

  await call('auth.refresh', { refreshToken: first.refreshToken })
  await call('auth.refresh', { refreshToken: next.refreshToken })
  await call('auth.logout', { refreshToken: mobile.refreshToken }, deviceToken)
  await call('devices.list', {}, deviceToken)

  const raw = async (method: string, path: string, options: SendOptions) =>
    sent.push({ what: `${method} ${path}`, answer: await test.send(method, path, options), gives: [] })
  const json = { 'content-type': 'application/json' }
  const { malformed } = secrets
  await raw('POST', '/api/v1/auth/login', { body: `{"email":"a@example.test","password":"${malformed}`, headers: json })
  await raw('POST', '/api/v1/auth/login', { body: `{"password":"${malformed}\\u0000","password":"${malformed}"}`, headers: json })
  await raw('POST', '/api/v1/auth/login', { body: malformed, headers: { 'content-type': `text/${malformed}` } })
  await raw('POST', `/api/v1/auth/${malformed}`, { json: { password: malformed } })
  await raw('PUT', '/api/v1/auth/login', { json: { password: malformed } })
  await raw('GET', `/health?token=${malformed}&token=${malformed}`, { headers: { 'x-request-id': `${malformed} ${malformed}` } })
  await raw('GET', '/api/v1/auth/devices', {
    headers: { authorization: `Basic ${malformed}`, cookie: malformed, referer: malformed },
  })
  const cause = Object.assign(new Error(secrets.failure), { query: secrets.failure, code: secrets.failure })
  for (const error of [
    Object.assign(new Error(secrets.failure, { cause }), { detail: secrets.failure }),
    Object.assign(new TypeError(secrets.failure), { name: secrets.failure }),
    new errors.Unavailable(undefined, { cause }),
  ]) {
    failNext(error)
    await call('mobile.beginLogin', { deviceFingerprint }, { address: '203.0.113.9' })
  }
  for (let tries = 0; tries < 12; tries += 1) {
    await call('auth.login', { ...login, password: secrets.wrongPassword }, { address: `203.0.113.${tries + 20}` })
  }
  for (let tries = 0; tries < 61; tries += 1)
    await call('mobile.beginLogin', { deviceFingerprint }, { address: '203.0.113.8' }, ['challenge'])
  given['the private key'] = formsOf(String(signer.keyPair.privateKey.export({ format: 'pem', type: 'pkcs8' })))
  return { sent, canaries: given }
}

const ringOf = (ring: KeyRing) =>
  [...ring.secrets.values()].flatMap((bytes) => formsOfBase64(Buffer.from(bytes).toString('base64url')))

/** Runs the life cycle of a user with known secrets, including every refusal and server errors. */
export const liveWithCanaries = async (): Promise<CanaryLife> => {
  const { storage, failNext } = await failingStorage()
  const test = await createTestApp({ storage })
  const { sent, canaries } = await live(test, failNext)
  return {
    sent,
    entries: test.logger.entries,
    canaries: {
      ...Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, formsOf(secret)])),
      ...canaries,
      'the ring of tokens': ringOf(test.jwtKeys),
      'the ring of fields': ringOf(test.encryptionKeys),
    },
  }
}
