import { createPublicKey, randomUUID } from 'node:crypto'
import type { lookup } from 'node:dns'
import { shippedLanguages } from '@countersign/contract/display'
import { PushTokenGone } from '@countersign/core'
import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { certificate, certificateKey } from '../../../../tools/testing/certificate.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { type WebPushOptions, webPush } from '../../src/identity/push/web-push.ts'
import { decryptPush, exampleKeys, subscriptionToken } from '../../src/testing/browser-subscription.ts'
import { aPushMessage } from '../../src/testing/push-message.ts'
import { trustCertificate } from '../../src/testing/trust-certificate.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../src/testing/webhook-receiver.ts'

const vapid = {
  publicKey: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  subject: 'mailto:security@example.com',
}
let service: WebhookReceiver
let endTrust: () => void

beforeAll(() => {
  endTrust = trustCertificate(certificate)
})
afterAll(() => endTrust())
beforeEach(async () => {
  service = await startWebhookReceiver({ cert: certificate, key: certificateKey })
})
afterEach(() => service.close())

const create = (overrides: Partial<WebPushOptions> = {}) => {
  const logger = recordingLogger()
  const clock = fakeClock(Date.now())
  const push = webPush({ ...vapid, hosts: [], loopback: true, logger, clock, firstPause: 1, ...overrides })
  const message = aPushMessage({ pushToken: subscriptionToken(service.url), expiresAt: clock.now() + 300_500 })
  return { push, logger, clock, message }
}

it('the decryption of these tests reads the example of RFC 8291', () => {
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  expect(decryptPush(Buffer.from(body, 'base64url'), exampleKeys)).toBe('When I grow up, I want to be a watermelon')
})

describe('a message to a browser', () => {
  it('is encrypted for the browser of the example in RFC 8291, and contains the kind, the id and fixed words', async () => {
    const { push, message } = create()
    await push.send(message)
    const [{ bytes, body } = { bytes: Buffer.of(), body: '' }] = service.received
    expect(JSON.parse(decryptPush(bytes))).toEqual({
      type: 'confirmation.requested',
      confirmationId: 'conf_1',
      title: 'A request waits',
      body: 'Open the app to approve or reject it.',
      lang: 'en',
    })
    expect(body).not.toMatch(/conf_1|payment/)
  })

  it('has 1,024 bytes, whatever its kind and language, because Firefox on Android gets at most 3,070', async () => {
    const { push, message } = create()
    const { pushToken, deviceId, expiresAt } = message
    const confirmationId = `conf_${randomUUID()}`
    const notice = { noticeId: `notice_${randomUUID()}`, pushToken, deviceId, expiresAt }
    for (const language of shippedLanguages) {
      await push.send({ ...message, confirmationId, language })
      await push.send({ type: 'confirmation.settled', confirmationId, pushToken, deviceId, expiresAt, language })
      await push.send({ type: 'account.changed', ...notice, change: 'push_token_changed', occurredAt: 0, language })
      await push.send({ type: 'push.test', ...notice, language })
    }
    expect(service.received.map(({ bytes }) => bytes.length)).toEqual(shippedLanguages.flatMap(() => [1024, 1024, 1024, 1024]))
    const titles = service.received.map(({ bytes }) => (JSON.parse(decryptPush(bytes)) as { title: string }).title)
    expect(new Set(titles).size).toBe(4 * shippedLanguages.length)
  })

  it('is signed with the key of the service for the origin of the endpoint, for at most a day', async () => {
    const { push, message, clock } = create()
    await push.send(message)
    const [, token = '', key] = /^vapid t=(.+), k=(.+)$/.exec(service.received[0]?.headers.authorization ?? '') ?? []
    const point = Buffer.from(vapid.publicKey, 'base64url')
    const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
    const { payload } = await jwtVerify(token, createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }))
    expect(key).toBe(vapid.publicKey)
    expect(payload).toEqual({
      aud: new URL(service.url).origin,
      sub: vapid.subject,
      exp: Math.floor(clock.now() / 1000) + 12 * 3600,
    })
  })

  it('is kept by the push service until it expires, is urgent, and replaces an earlier one about its confirmation', async () => {
    const { push, message } = create()
    await push.send(message)
    await push.send(message)
    await push.send({ ...message, confirmationId: 'conf_2' })
    const [first, again, other] = service.received.map(({ headers }) => headers)
    expect(first).toMatchObject({ ttl: '300', urgency: 'high', 'content-encoding': 'aes128gcm' })
    expect(first?.topic).toMatch(/^[A-Za-z0-9_-]{32}$/)
    expect([again?.topic === first?.topic, other?.topic === first?.topic]).toEqual([true, false])
  })

  it('about a settled confirmation replaces the first message, and is not urgent', async () => {
    const { push, message } = create()
    const { pushToken, deviceId, confirmationId, expiresAt } = message
    await push.send(message)
    await push.send({ type: 'confirmation.settled', ...{ pushToken, deviceId, confirmationId, expiresAt } })
    const [first, second] = service.received
    expect(second?.headers).toMatchObject({ topic: first?.headers.topic, urgency: 'normal', ttl: '300' })
    expect(JSON.parse(decryptPush(second?.bytes ?? Buffer.of()))).toEqual({
      type: 'confirmation.settled',
      confirmationId: 'conf_1',
      title: 'The request is settled',
      body: 'There is nothing left to do.',
      lang: 'en',
    })
  })

  it.each([
    ['de-CH', 'de', 'Eine Anfrage wartet'],
    ['ar', 'ar', 'هناك طلب في الانتظار'],
    ['ja', 'en', 'A request waits'],
  ])('has its fixed words for %s in %s', async (language, lang, title) => {
    const { push, message } = create()
    await push.send({ ...message, language })
    expect(JSON.parse(decryptPush(service.received[0]?.bytes ?? Buffer.of()))).toMatchObject({ lang, title })
  })

  it('has the signed token of the last message for half a day, and then a new one', async () => {
    const { push, message, clock } = create()
    const authorization = async () => {
      await push.send({ ...message, expiresAt: clock.now() + 60_000 })
      return service.received.at(-1)?.headers.authorization
    }
    const first = await authorization()
    expect(await authorization()).toBe(first)
    clock.advance(6 * 3_600_000)
    expect(await authorization()).not.toBe(first)
  })

  it.each([404, 410])('is dropped after %i, and its push token counts as gone', async (status) => {
    const { push, message } = create()
    service.answerWith(status)
    await expect(push.send(message)).rejects.toBeInstanceOf(PushTokenGone)
    expect([service.received.length, await push.health()]).toEqual([1, 'healthy'])
  })

  it.each([429, 500, 503])('is sent again after %i', async (status) => {
    const { push, message } = create()
    service.answerWith((response, attempt) => response.writeHead(attempt === 1 ? status : 201, { 'retry-after': '1' }).end())
    const start = performance.now()
    await push.send(message)
    expect(service.received).toHaveLength(2)
    expect(performance.now() - start).toBeGreaterThan(950)
  })

  it('is sent again after 406, by which Microsoft asks to send less often', async () => {
    const { push, message } = create()
    service.answerWith((response, attempt) => response.writeHead(attempt === 1 ? 406 : 201).end())
    await push.send(message)
    expect(service.received).toHaveLength(2)
  })

  const failing = async ({ push, message }: Pick<ReturnType<typeof create>, 'push' | 'message'>) => {
    for (let round = 0; round < 3; round += 1) await expect(push.send(message)).rejects.toThrow()
    return push.health()
  }

  it('that a push service refuses for its key makes push unhealthy, unless this push service has accepted a message before', async () => {
    service.answerWith(403)
    expect(await failing(create())).toBe('unhealthy')
    const taken = create()
    service.answerWith(201)
    await taken.push.send(taken.message)
    service.answerWith(403)
    expect(await failing(taken)).toBe('healthy')
  })

  it('that fails makes push unhealthy only at a push service of browsers, not at a host that a user chose', async () => {
    const unreachable = ((_name: string, _options: object, done: (error: Error) => void) =>
      done(Object.assign(new Error('no answer'), { code: 'ETIMEOUT' }))) as unknown as typeof lookup
    const at = (endpoint: string) => {
      const { push, message } = create({ hosts: ['*'], loopback: false, lookup: unreachable })
      return failing({ push, message: { ...message, pushToken: subscriptionToken(endpoint) } })
    }
    expect(await at('https://push.of-a-user.example/hook')).toBe('healthy')
    expect(await at('https://updates.push.services.mozilla.com/wpush/v2/abc')).toBe('unhealthy')
  })

  it('for a subscription without keys is dropped at once, and push stays healthy', async () => {
    const { push, message } = create()
    const pushToken = JSON.stringify({ endpoint: service.url, keys: { p256dh: 'AAAA', auth: 'AAAA' } })
    for (let round = 0; round < 3; round += 1)
      await expect(push.send({ ...message, pushToken })).rejects.toMatchObject({ code: 'KEYS_REFUSED' })
    expect([service.received, await push.health()]).toEqual([[], 'healthy'])
  })

  it('is not sent to the target of a redirect', async () => {
    const { push, message } = create()
    service.answerWith((response) => response.writeHead(307, { location: '/elsewhere' }).end())
    await expect(push.send(message)).rejects.toMatchObject({ code: 'HTTP_307' })
    expect(service.received).toHaveLength(1)
  })

  it('is delivered whatever the length of the answer, and nothing of the answer is logged', async () => {
    const { push, message, logger } = create()
    let closed = false
    service.answerWith((response) => {
      response.on('close', () => {
        closed = true
      })
      response.writeHead(201)
      // An answer without an end.
      const more = () => response.write('canary'.repeat(1000)) && !closed && setImmediate(more)
      response.on('drain', more)
      more()
    })
    await push.send(message)
    await expect.poll(() => closed).toBe(true)
    expect(JSON.stringify(logger.entries)).not.toContain('canary')
  })

  it('waits a limited time for an answer, while other messages arrive', async () => {
    const { push, message, logger } = create({ attemptTime: 1500, concurrency: 2 })
    service.answerWith((response, attempt) => {
      if (attempt > 1) response.writeHead(201).end()
    })
    await Promise.all([push.send(message), push.send({ ...message, confirmationId: 'conf_2' })])
    expect(service.received).toHaveLength(3)
    expect(logger.entries).toMatchObject([{ event: 'push_attempt_failed' }])
  })

  it('is not sent to a host that resolves to an address that is not public', async () => {
    const asked: string[] = []
    const { port } = new URL(service.url)
    const { push, message } = create({
      hosts: ['*'],
      lookup: ((name: string, _: object, done: (error: null, found: object[]) => void) => {
        asked.push(name)
        done(null, [{ address: '127.0.0.1', family: 4 }])
      }) as unknown as typeof lookup,
    })
    await expect(push.send({ ...message, pushToken: subscriptionToken('https://rebinding.example/hook') })).rejects.toMatchObject(
      { code: 'ADDRESS_REFUSED' },
    )
    for (const endpoint of [`https://rebinding.example:${port}/hook`, 'http://rebinding.example/hook', 'https://10.0.0.1/hook'])
      await expect(push.send({ ...message, pushToken: subscriptionToken(endpoint) })).rejects.toMatchObject({
        code: 'ENDPOINT_REFUSED',
      })
    expect([asked, service.received, await push.health()]).toEqual([['rebinding.example'], [], 'healthy'])
  })

  it('is not sent to loopback in production, whatever the name of this machine', async () => {
    const { push, message } = create({ loopback: false, hosts: ['*'] })
    for (const endpoint of [service.url, 'https://localhost/hook', 'https://localhost./hook', 'https://push.localhost/hook'])
      await expect(push.send({ ...message, pushToken: subscriptionToken(endpoint) })).rejects.toMatchObject({
        code: 'ENDPOINT_REFUSED',
      })
    expect(service.received).toEqual([])
  })
})

it('the log names the host of a refused endpoint, and not the rest, both when it is set and before a message', async () => {
  const { push, message, logger } = create({ hosts: ['push.example.com'], loopback: false })
  const pushToken = subscriptionToken('https://push.of-a-new-browser.example/canary')
  await push.faultOf?.(pushToken)
  await expect(push.send({ ...message, pushToken })).rejects.toMatchObject({ code: 'ENDPOINT_REFUSED' })
  const refused = logger.entries.filter(({ event }) => event === 'push_host_refused')
  expect(refused.map(({ fields }) => fields)).toEqual(Array(2).fill({ host: 'push.of-a-new-browser.example' }))
  expect(JSON.stringify(logger.entries)).not.toContain('canary')
})

it('the push service of a Chromium that is built from its sources is allowed', async () => {
  const config = readConfig({
    ...{ COUNTERSIGN_PUSH: 'webpush', COUNTERSIGN_VAPID_PUBLIC_KEY: vapid.publicKey },
    ...{ COUNTERSIGN_VAPID_PRIVATE_KEY: vapid.privateKey, COUNTERSIGN_VAPID_SUBJECT: vapid.subject },
  })
  const [{ hosts } = { hosts: [] }] = config.push.filter((one) => one.provider === 'webpush')
  const { push } = create({ hosts, loopback: false })
  expect(await push.faultOf?.(subscriptionToken('https://jmt17.google.com/fcm/send/abc'))).toBeUndefined()
})

describe('a push token', () => {
  const faultOf = (pushToken: string) => create({ hosts: ['push.example.com'], loopback: false }).push.faultOf?.(pushToken)

  it.each([
    ['of a browser', subscriptionToken('https://push.example.com/abc')],
    // Microsoft's endpoints are the longest.
    ['of real length', subscriptionToken(`https://wns2-par02p.push.example.com/w/?token=${'BQYAAAC'.repeat(60)}`)],
    ['of another form', 'fcm-or-host-token'],
    ['that is a number', '12345'],
  ])('%s is accepted', async (_, token) => expect(await faultOf(token)).toBeUndefined())

  const withKeys = (keys: unknown) => JSON.stringify({ endpoint: 'https://push.example.com/abc', keys })
  const { keys } = JSON.parse(subscriptionToken('https://push.example.com/abc')) as { keys: { p256dh: string; auth: string } }
  it.each([
    ['with another scheme', subscriptionToken('http://push.example.com/abc'), 'push service'],
    ['with another host', subscriptionToken('https://internal.example.com/abc'), 'push service'],
    ['on loopback', subscriptionToken('http://127.0.0.1:9000/abc'), 'push service'],
    ['without an endpoint', '{"keys":{}}', 'endpoint'],
    ['cut off', subscriptionToken('https://push.example.com/abc').slice(0, -1), 'endpoint'],
    ['without keys', withKeys(undefined), 'keys'],
    ['with a short secret', withKeys({ ...keys, auth: 'AAAA' }), 'keys'],
    ['with a point that is not on the curve', withKeys({ ...keys, p256dh: `${keys.p256dh.slice(0, -1)}A` }), 'keys'],
    ['with a compressed point', withKeys({ ...keys, p256dh: `A${keys.p256dh.slice(1, 44)}` }), 'keys'],
  ])('%s is refused', async (_, token, fault) => expect(await faultOf(token)).toContain(fault))
})
