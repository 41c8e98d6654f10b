import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AccountChanged, PushTokenGone } from '@countersign/core'
import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../../../../tools/testing/certificate.ts'
import { fcmPush, isFcmToken } from '../../src/identity/push/fcm.ts'
import { checkPushKey, readFcmKey } from '../../src/identity/push/push-keys.ts'
import { aPushMessage } from '../../src/testing/push-message.ts'
import { trustCertificate } from '../../src/testing/trust-certificate.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../src/testing/webhook-receiver.ts'

const account = generateKeyPairSync('rsa', { modulusLength: 2048 })
let root: string
let google: WebhookReceiver
let endTrust: () => void

beforeAll(async () => {
  endTrust = trustCertificate(certificate)
  root = await mkdtemp(join(tmpdir(), 'countersign-fcm-'))
})
afterAll(async () => {
  endTrust()
  await rm(root, { recursive: true })
})
beforeEach(async () => {
  google = await startWebhookReceiver({ cert: certificate, key: certificateKey })
})
afterEach(() => google.close())

/** A token as Firebase makes them for apps. */
const realToken = `cRb7ZX3dQ8-kL0_xPqWvTn:APA91b${'HJ3kLmNpQrStUvWxYz0123456789_-'.repeat(4)}AbCdEfGh`

const keyFile = async (members: object = {}): Promise<string> => {
  const file = join(root, 'account.json')
  const privateKey = account.privateKey.export({ type: 'pkcs8', format: 'pem' })
  const key = {
    type: 'service_account',
    project_id: 'countersign-test',
    private_key: privateKey,
    client_email: 'push@countersign-test.iam.gserviceaccount.com',
    token_uri: new URL('/token', google.url).href,
    ...members,
  }
  await writeFile(file, JSON.stringify(key))
  return file
}

type Answer = readonly [status: number, body: object, headers?: Record<string, string>]
const unregistered: Answer = [404, { error: { code: 404, status: 'NOT_FOUND', details: [{ errorCode: 'UNREGISTERED' }] } }]
const invalidToken: Answer = [
  400,
  {
    error: {
      code: 400,
      message: 'The registration token is not a valid FCM registration token',
      status: 'INVALID_ARGUMENT',
      details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'INVALID_ARGUMENT' }],
    },
  },
]

const create = async ({ attemptTime = 5000 } = {}) => {
  const [logger, clock] = [recordingLogger(), fakeClock(Date.now())]
  const options = { logger, clock, firstPause: 1, attemptTime }
  const push = fcmPush({ ...(await readFcmKey(await keyFile())), origin: new URL(google.url).origin, ...options })
  const message = aPushMessage({ pushToken: realToken, expiresAt: clock.now() + 300_500 })
  const [tokens, messages] = [() => sent('/token'), () => sent('/v1/projects/countersign-test/messages:send')]
  const sent = (path: string) => google.received.filter((received) => received.path === path)
  /** Sets the answer to each message, by its number, and to each request of an access token. */
  const answer = (
    ofMessage: (attempt: number) => Answer | undefined,
    ofToken: (attempt: number) => Answer = (attempt) => [200, { access_token: `access-${attempt}`, expires_in: 3600 }],
  ) =>
    google.answerWith((response) => {
      const isToken = google.received.at(-1)?.path === '/token'
      const chosen = isToken ? ofToken(tokens().length) : ofMessage(messages().length)
      if (chosen === undefined) return
      response.writeHead(chosen[0], { 'content-type': 'application/json', ...chosen[2] }).end(JSON.stringify(chosen[1]))
    })
  answer(() => [200, { name: 'projects/countersign-test/messages/1' }])
  return { push, logger, clock, message, tokens, messages, answer }
}

describe('a message to an app with Firebase', () => {
  it('contains the kind, the id and fixed words, is urgent, can be replaced, and expires with its request', async () => {
    const { push, message, messages, clock } = await create()
    await push.send(message)
    const [{ body, headers } = { body: '', headers: {} }] = messages()
    expect(headers).toMatchObject({ authorization: 'Bearer access-1' })
    expect(JSON.parse(body)).toEqual({
      message: {
        token: realToken,
        notification: { title: 'A request waits', body: 'Open the app to approve or reject it.' },
        data: { type: 'confirmation.requested', confirmationId: 'conf_1' },
        android: {
          priority: 'HIGH',
          ttl: '300s',
          collapse_key: expect.stringMatching(/^[\w-]{32}$/),
          notification: { tag: expect.any(String) },
        },
        apns: {
          headers: {
            'apns-priority': '10',
            'apns-expiration': String(Math.floor(clock.now() / 1000) + 300),
            'apns-collapse-id': expect.any(String),
          },
        },
        webpush: { headers: { TTL: '300', Urgency: 'high', Topic: expect.any(String) } },
      },
    })
    expect(body).not.toContain('payment')
  })

  it('about a settled confirmation replaces the first message, and is not urgent', async () => {
    const { push, message, messages } = await create()
    const { pushToken, deviceId, confirmationId, expiresAt } = message
    await push.send(message)
    await push.send({ type: 'confirmation.settled', ...{ pushToken, deviceId, confirmationId, expiresAt } })
    const [first, second] = messages().map(({ body }) => JSON.parse(body).message)
    expect(second).toMatchObject({
      android: { priority: 'NORMAL', collapse_key: first.android.collapse_key, notification: first.android.notification },
      apns: { headers: { 'apns-priority': '5', 'apns-collapse-id': first.apns.headers['apns-collapse-id'] } },
      data: { type: 'confirmation.settled', confirmationId: 'conf_1' },
    })
  })

  it('about the account names the kind of the change only', async () => {
    const { push, message, messages, clock } = await create()
    const { pushToken, deviceId, expiresAt } = message
    const notice: AccountChanged = {
      ...{ pushToken, deviceId, expiresAt },
      type: 'account.changed',
      noticeId: 'notice_1',
      change: 'device_removed',
      occurredAt: clock.now(),
    }
    await push.send(notice)
    expect(JSON.parse(messages()[0]?.body ?? '').message).toMatchObject({
      notification: { title: 'Your account has changed' },
      data: { type: 'account.changed', noticeId: 'notice_1', change: 'device_removed' },
    })
  })

  it('is sent with an access token that the service account signed for, which messages share until it expires', async () => {
    const { push, message, tokens, messages, clock } = await create()
    await Promise.all([1, 2, 3].map((id) => push.send({ ...message, confirmationId: `conf_${id}` })))
    expect(tokens()).toHaveLength(1)
    const form = new URLSearchParams(tokens()[0]?.body)
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload } = await jwtVerify(form.get('assertion') ?? '', account.publicKey, { currentDate: new Date(clock.now()) })
    expect(payload).toMatchObject({
      iss: 'push@countersign-test.iam.gserviceaccount.com',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: new URL('/token', google.url).href,
    })
    clock.advance(3_545_000)
    await push.send({ ...message, expiresAt: clock.now() + 60_000 })
    expect([tokens().length, messages().at(-1)?.headers.authorization]).toEqual([2, 'Bearer access-2'])
  })

  it('is sent again with a new access token if Google ended the first token early', async () => {
    const { push, message, tokens, answer } = await create()
    answer((attempt) => (attempt === 1 ? [401, { error: { status: 'UNAUTHENTICATED' } }] : [200, {}]))
    await push.send(message)
    expect(tokens()).toHaveLength(2)
  })

  it.each([
    ['is gone', unregistered],
    ['is not one of FCM any more', invalidToken],
  ])('is dropped if its token %s, and the provider stays healthy', async (_, refusal) => {
    const { push, message, messages, answer } = await create()
    answer(() => refusal)
    for (let round = 0; round < 3; round += 1) await expect(push.send(message)).rejects.toBeInstanceOf(PushTokenGone)
    expect([messages().length, await push.health()]).toEqual([3, 'healthy'])
  })

  it.each([
    [429, '1'],
    [503, '1'],
    [500, '1'],
  ])('is sent again after %i and the time that Google asks for', async (status, retryAfter) => {
    const { push, message, messages, answer } = await create()
    answer((attempt) => (attempt === 1 ? [status, {}, { 'retry-after': retryAfter }] : [200, {}]))
    const start = performance.now()
    await push.send(message)
    expect([messages().length, performance.now() - start > 950]).toEqual([2, true])
  })

  it('that exceeds the quota is sent again after a minute, or dropped if it expires sooner', async () => {
    const { push, message, messages, clock, answer } = await create()
    answer(() => [429, { error: { details: [{ errorCode: 'QUOTA_EXCEEDED' }] } }])
    const soon = { ...message, expiresAt: clock.now() + 30_000 }
    await expect(push.send(soon)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
    expect(messages()).toHaveLength(1)
  })

  it('is sent again if Google hangs', async () => {
    const { push, message, messages, answer } = await create({ attemptTime: 1500 })
    answer((attempt) => (attempt === 1 ? undefined : [200, {}]))
    await push.send(message)
    expect(messages()).toHaveLength(2)
  })

  it.each([
    ['of another project', 403, 'SENDER_ID_MISMATCH', 'healthy'],
    ['that Google calls wrong', 400, 'INVALID_ARGUMENT', 'healthy'],
    ['of an app whose certificate is wrong', 401, 'THIRD_PARTY_AUTH_ERROR', 'unhealthy'],
    ['without the right to send', 403, undefined, 'unhealthy'],
  ] as const)('%s is dropped at once, and the provider is then %s', async (_, status, errorCode, health) => {
    const { push, message, messages, answer } = await create()
    answer(() => [status, { error: { details: [{ errorCode }] } }])
    for (let round = 0; round < 3; round += 1)
      await expect(push.send(message)).rejects.toMatchObject({ code: errorCode ?? `HTTP_${status}` })
    expect([messages().length, await push.health()]).toEqual([3, health])
  })

  it('is not sent without an access token: a refusal makes the provider unhealthy, a failure is tried again', async () => {
    const { push, message, tokens, messages, answer } = await create()
    answer(
      () => [200, {}],
      () => [400, { error: 'invalid_grant' }],
    )
    for (let round = 0; round < 3; round += 1)
      await expect(push.send(message)).rejects.toMatchObject({ code: 'ACCESS_TOKEN_HTTP_400' })
    expect([messages().length, await push.health()]).toEqual([0, 'unhealthy'])
    const before = tokens().length
    answer(
      () => [200, {}],
      (attempt) => (attempt === before + 1 ? [503, {}] : [200, { access_token: 'a', expires_in: 3600 }]),
    )
    await push.send(message)
    expect([messages().length, await push.health()]).toEqual([1, 'healthy'])
  })

  it('is logged without its token, the key and the answer', async () => {
    const { push, message, logger, answer } = await create()
    answer(() => [500, { canary: 'canary' }])
    await expect(push.send(message)).rejects.toThrow()
    expect(JSON.stringify(logger.entries)).not.toMatch(/APA91b|canary|PRIVATE|access-/)
    expect(logger.entries).toHaveLength(6)
  })
})

it.each([
  [realToken, true],
  ['ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]', false],
  ['a'.repeat(64), false],
  ['fcm:short', false],
])('the push token %s has the form of FCM: %s', (token, isOne) => expect(isFcmToken(token)).toBe(isOne))

it.each([
  ['a file that is not there', async () => join(root, 'none.json'), 'ENOENT'],
  ['a key that is cut off', () => keyFile({ private_key: '-----BEGIN PRIVATE KEY-----\ncanary' }), ''],
  ['a file without a project', () => keyFile({ project_id: undefined }), 'TypeError'],
])('%s stops the start with one line that names the variable', async (_, file, reason) => {
  const credentialsFile = await file()
  const checked = checkPushKey({ provider: 'fcm', credentialsFile })
  await expect(checked).rejects.toMatchObject({ name: 'StartupError' })
  const line = await checked.catch((error: Error) => error.message)
  expect(line).toMatch(/^COUNTERSIGN_FCM_CREDENTIALS_FILE: must be the path of the JSON key file of a service account \(\w+\)$/)
  expect(line).toContain(reason)
})
