import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PushTokenGone } from '@countersign/core'
import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../../../../tools/testing/certificate.ts'
import { type ApnsOptions, apnsPush, isApnsToken } from '../../src/identity/push/apns.ts'
import { checkPushKey, readApnsKey } from '../../src/identity/push/push-keys.ts'
import { type ApnsServer, answerAs, startApnsServer } from '../../src/testing/apns-server.ts'
import { aPushMessage } from '../../src/testing/push-message.ts'
import { trustCertificate } from '../../src/testing/trust-certificate.ts'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pushToken = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad'
let root: string
let apple: ApnsServer
let endTrust: () => void
let stops: (() => void)[]

beforeAll(async () => {
  endTrust = trustCertificate(certificate)
  root = await mkdtemp(join(tmpdir(), 'countersign-apns-'))
  await writeFile(join(root, 'key.p8'), pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
})
afterAll(async () => {
  endTrust()
  await rm(root, { recursive: true })
})
beforeEach(async () => {
  stops = []
  apple = await startApnsServer({ cert: certificate, key: certificateKey })
})
afterEach(async () => {
  for (const stop of stops) stop()
  await apple.close()
})

const create = async (overrides: Partial<ApnsOptions> = {}) => {
  const [logger, clock] = [recordingLogger(), fakeClock(Date.now())]
  const key = await readApnsKey(join(root, 'key.p8'))
  const ids = { keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'com.example.app' }
  const push = apnsPush({ key, ...ids, origin: apple.origin, logger, clock, firstPause: 1, attemptTime: 5000, ...overrides })
  stops.push(push.stop)
  const message = aPushMessage({ pushToken, expiresAt: clock.now() + 300_500 })
  const burst = (size: number) =>
    Promise.all(Array.from({ length: size }, (_, at) => push.send({ ...message, confirmationId: `conf_${at}` })))
  return { push, logger, clock, message, burst }
}

const idOf = ({ body }: { readonly body: string }): string => (JSON.parse(body) as { confirmationId: string }).confirmationId

describe('a message to an app on iOS', () => {
  it('contains the kind, the id and fixed words, is urgent, can be replaced, and expires with its request', async () => {
    const { push, message, clock } = await create()
    await push.send(message)
    const [{ headers, body } = { headers: {}, body: '' }] = apple.received
    expect(headers).toMatchObject({
      ':method': 'POST',
      ':path': `/3/device/${pushToken}`,
      'apns-topic': 'com.example.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': String(Math.floor(clock.now() / 1000) + 300),
      'apns-collapse-id': expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(JSON.parse(body)).toEqual({
      aps: { alert: { title: 'A request waits', body: 'Open the app to approve or reject it.' }, sound: 'default' },
      type: 'confirmation.requested',
      confirmationId: 'conf_1',
    })
  })

  it('about a settled confirmation replaces the first message, without a sound', async () => {
    const { push, message } = await create()
    const { deviceId, confirmationId, expiresAt } = message
    await push.send(message)
    await push.send({ type: 'confirmation.settled', ...{ pushToken, deviceId, confirmationId, expiresAt } })
    const [first, second] = apple.received
    expect(second?.headers).toMatchObject({ 'apns-collapse-id': first?.headers['apns-collapse-id'], 'apns-priority': '5' })
    expect(JSON.parse(second?.body ?? '')).toMatchObject({
      type: 'confirmation.settled',
      aps: { alert: { title: 'The request is settled' } },
    })
    expect(second?.body).not.toContain('sound')
  })

  it('has a provider token signed by the key of the team, which messages share for 40 minutes', async () => {
    const { push, message, burst, clock } = await create()
    await burst(3)
    clock.advance(40 * 60_000 - 1)
    await push.send({ ...message, expiresAt: clock.now() + 60_000 })
    clock.advance(1)
    await push.send({ ...message, expiresAt: clock.now() + 60_000 })
    const tokens = apple.received.map(({ headers }) => headers.authorization?.replace('bearer ', '') ?? '')
    expect(new Set(tokens).size).toBe(2)
    expect(new Set(tokens.slice(0, 4)).size).toBe(1)
    expect(decodeProtectedHeader(tokens[0] ?? '')).toEqual({ alg: 'ES256', kid: 'ABC123DEFG' })
    const { payload } = await jwtVerify(tokens[0] ?? '', pair.publicKey)
    expect(payload).toEqual({ iss: 'DEF123GHIJ', iat: Math.floor((clock.now() - 40 * 60_000) / 1000) })
  })

  it('shares its connection with all other messages', async () => {
    const { burst } = await create()
    await burst(20)
    await burst(20)
    expect([apple.received.length, apple.sessions.length]).toEqual([40, 1])
  })

  it.each([
    [410, 'Unregistered'],
    [410, 'ExpiredToken'],
  ])('is dropped after %i %s, and its push token counts as gone', async (status, reason) => {
    const { push, message } = await create()
    apple.answerWith((stream) => answerAs(stream, status, reason))
    for (let round = 0; round < 3; round += 1) await expect(push.send(message)).rejects.toBeInstanceOf(PushTokenGone)
    expect([apple.received.length, await push.health()]).toEqual([3, 'healthy'])
  })

  it('that is answered with BadDeviceToken keeps its push token, and makes push unhealthy until Apple accepts a message', async () => {
    const { push, message } = await create()
    apple.answerWith((stream) => answerAs(stream, 400, 'BadDeviceToken'))
    for (let round = 0; round < 3; round += 1)
      await expect(push.send(message)).rejects.toMatchObject({ name: 'PushRefused', code: 'BadDeviceToken' })
    expect([apple.received.length, await push.health()]).toEqual([3, 'unhealthy'])
    apple.answerWith((stream) => answerAs(stream, 200))
    await push.send({ ...message, pushToken: 'ab'.repeat(32) })
    apple.answerWith((stream) => answerAs(stream, 400, 'BadDeviceToken'))
    await expect(push.send(message)).rejects.toBeInstanceOf(PushTokenGone)
    expect(await push.health()).toBe('healthy')
  })

  it('that is answered with 410 and a time reports since when its push token is gone', async () => {
    const { push, message } = await create()
    apple.answerWith((stream) => answerAs(stream, 410, 'Unregistered', {}, { timestamp: 1_750_000_000_123 }))
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushTokenGone', since: 1_750_000_000_123 })
    apple.answerWith((stream) => answerAs(stream, 410, 'Unregistered', {}, { timestamp: 'canary' }))
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushTokenGone', since: undefined })
  })

  it.each([
    [429, 'TooManyRequests'],
    [429, 'TooManyProviderTokenUpdates'],
    [500, 'InternalServerError'],
    [503, 'ServiceUnavailable'],
    [503, 'Shutdown'],
  ])('is sent again after %i %s and the time that Apple asks for', async (status, reason) => {
    const { push, message, logger } = await create()
    apple.answerWith((stream, attempt) =>
      attempt === 1 ? answerAs(stream, status, reason, { 'retry-after': '1' }) : answerAs(stream, 200),
    )
    const start = performance.now()
    await push.send(message)
    expect([apple.received.length, performance.now() - start > 950]).toEqual([2, true])
    expect(logger.entries).toMatchObject([{ event: 'push_attempt_failed', fields: { reason } }])
  })

  it.each([30, -30])(
    'is sent again with a new provider token if Apple says that a token of %i minutes has expired',
    async (age) => {
      const { push, message, clock } = await create()
      await push.send(message)
      clock.advance(age * 60_000)
      const [
        {
          headers: { authorization: old },
        } = { headers: {} as { authorization?: string } },
      ] = apple.received
      apple.answerWith((stream) =>
        apple.received.at(-1)?.headers.authorization === old
          ? answerAs(stream, 403, 'ExpiredProviderToken')
          : answerAs(stream, 200),
      )
      await push.send({ ...message, expiresAt: clock.now() + 60_000 })
      expect([apple.received.length, await push.health()]).toEqual([3, 'healthy'])
    },
  )

  it.each([
    [403, 'ExpiredProviderToken', 'unhealthy'],
    [403, 'InvalidProviderToken', 'unhealthy'],
    [400, 'BadTopic', 'unhealthy'],
    [400, 'TopicDisallowed', 'unhealthy'],
    [400, 'DeviceTokenNotForTopic', 'healthy'],
    [413, 'PayloadTooLarge', 'healthy'],
  ])('is dropped at once after %i %s, and the provider is then %s', async (status, reason, health) => {
    const { push, message } = await create()
    apple.answerWith((stream) => answerAs(stream, status, reason))
    for (let round = 0; round < 3; round += 1) await expect(push.send(message)).rejects.toMatchObject({ code: reason })
    expect([apple.received.length, await push.health()]).toEqual([3, health])
  })

  it('is logged without its push token, the key and the words of Apple', async () => {
    const { push, message, logger } = await create()
    apple.answerWith((stream) => answerAs(stream, 500, 'a reason with blanks and canary'))
    await expect(push.send(message)).rejects.toMatchObject({ code: 'HTTP_500' })
    expect(JSON.stringify(logger.entries)).not.toMatch(/740f4707|canary|bearer/)
  })
})

describe('a connection to Apple', () => {
  it('that Apple ends during a burst (GOAWAY) is replaced, and every message arrives', async () => {
    const { burst } = await create()
    apple.answerWith((stream, attempt) => {
      // Apple handles the first streams only, and names the last of these streams.
      if (attempt === 3) stream.session?.goaway(constants.NGHTTP2_NO_ERROR, stream.id)
      answerAs(stream, 200)
    })
    await burst(40)
    const arrived = new Set(apple.received.map(idOf))
    expect([arrived.size, apple.sessions.length]).toEqual([40, 2])
  })

  it('that Apple ends with an error during a burst is replaced', async () => {
    const { burst } = await create()
    apple.answerWith((stream, attempt) => {
      if (attempt === 3) stream.session?.destroy(undefined, constants.NGHTTP2_INTERNAL_ERROR)
      else answerAs(stream, 200)
    })
    await burst(20)
    expect([new Set(apple.received.map(idOf)).size, apple.sessions.length]).toEqual([20, 2])
  })

  it('whose streams are refused (REFUSED_STREAM) sends these messages again', async () => {
    const { burst, logger } = await create()
    apple.answerWith((stream, attempt) => (attempt <= 2 ? stream.close(constants.NGHTTP2_REFUSED_STREAM) : answerAs(stream, 200)))
    await burst(5)
    expect(apple.received).toHaveLength(7)
    expect(logger.entries).toHaveLength(2)
  })

  it('that hangs is replaced, without delay for the other messages', async () => {
    const { burst, push } = await create({ attemptTime: 1500, concurrency: 4 })
    apple.answerWith((stream, attempt) => {
      if (attempt > 1) answerAs(stream, 200)
    })
    await burst(12)
    expect(new Set(apple.received.map(idOf)).size).toBe(12)
    expect([apple.received.length, apple.sessions.length, await push.health()]).toEqual([13, 2, 'healthy'])
  })

  it('that cannot be opened makes the message fail after its attempts, and never hangs', async () => {
    const { push, message } = await create({ origin: 'https://localhost:1' })
    for (let round = 0; round < 3; round += 1) await expect(push.send(message)).rejects.toThrow()
    expect(await push.health()).toBe('unhealthy')
  })

  it('is closed when the provider stops', async () => {
    const { push, message } = await create()
    await push.send(message)
    push.stop()
    await expect.poll(() => apple.sessions[0]?.destroyed).toBe(true)
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushStopped' })
  })
})

it.each([
  [pushToken, true],
  [pushToken.toUpperCase(), true],
  ['ab'.repeat(80), true],
  [pushToken.slice(2), false],
  [`${pushToken}/..`, false],
])('the push token %s has the form of APNs: %s', (token, isOne) => expect(isApnsToken(token)).toBe(isOne))

it('a key that cannot be read stops the start with one line that names the variable', async () => {
  await writeFile(
    join(root, 'rsa.p8'),
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  )
  for (const keyFile of [join(root, 'none.p8'), join(root, 'rsa.p8')]) {
    const ids = { keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'com.example.app', environment: 'production' } as const
    await expect(checkPushKey({ provider: 'apns', keyFile, ...ids })).rejects.toThrow(
      /^COUNTERSIGN_APNS_KEY_FILE: must be the path of a \.p8 key of Apple \(\w+\)$/,
    )
  }
})
