import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allParts, errors, generateKeyRing, generateReceiptKeyRing, parseReceiptKeyRing, systemRandom } from '@countersign/core'
import {
  aSession,
  createTestUser,
  createVirtualPasskey,
  recordingLogger,
  registerTestDevice,
  signInNewDeviceUser,
  signInNewUser,
  testPassword,
} from '@countersign/core/testing'
import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenCountersign, openCountersign } from './compose.ts'
import { type Environment, readConfig } from './config/read-config.ts'
import { decryptPush, exampleKeys, subscriptionToken } from './testing/browser-subscription.ts'
import { startWebhookReceiver, type WebhookReceiver } from './testing/webhook-receiver.ts'

let root: string
let receiver: WebhookReceiver
let env: Environment

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'countersign-compose-'))
  receiver = await startWebhookReceiver()
  env = {
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(root, 'countersign.db')}`,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_PUSH: 'webhook',
    COUNTERSIGN_PUSH_WEBHOOK_URL: receiver.url,
    COUNTERSIGN_PUSH_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
  }
})
afterEach(async () => {
  await receiver.close()
  await rm(root, { recursive: true })
})

const open = async (more: Environment = {}) => {
  const logger = recordingLogger()
  const opened = await openCountersign(readConfig({ ...env, ...more }), { logger, parts: allParts })
  await opened.storage.migrate()
  return { ...opened, logger }
}

/** Initiates a confirmation for a new user with a device. */
const initiate = async (opened: Pick<OpenCountersign, 'countersign'>) => {
  const { caller } = await signInNewUser(opened)
  await registerTestDevice(opened, caller, { pushToken: 'push-1' })
  const actionPayload = { userId: 1 }
  return opened.countersign.confirmations.initiate({ caller, actionType: 'password_change', actionPayload })
}

describe('a host composed from configuration', () => {
  it.each([
    ['the configured issuer', { COUNTERSIGN_RECEIPT_ISSUER: 'https://auth.example.com' }, 'https://auth.example.com'],
    ['its own address', { COUNTERSIGN_PORT: '4001' }, 'http://localhost:4001'],
  ])('issues receipts with the configured key in the name of %s', async (_, more, issuer) => {
    const ring = generateReceiptKeyRing('ES256')
    const { close, ...opened } = await open({ COUNTERSIGN_RECEIPT_KEYS: ring, ...more })
    const { web, mobile, device, signer } = await signInNewDeviceUser(opened)
    const { confirmations, receipts } = opened.countersign
    const actionPayload = { userId: 1 }
    const asked = await confirmations.initiate({ caller: web.caller, actionType: 'password_change', actionPayload })
    const approval = { confirmationId: asked.id, deviceId: device.id, signedChallenge: signer.sign(asked.challenge) }
    await confirmations.approve({ caller: mobile.caller, ...approval })
    const [header = '', claims = ''] = (await receipts.export({ confirmationId: asked.id })).split('.')
    const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object
    expect(parse(header)).toMatchObject({ alg: 'ES256', kid: parseReceiptKeyRing(ring).keys[0]?.kid })
    expect(parse(claims)).toMatchObject({ iss: issuer, jti: asked.id })
    await close()
  })

  it.each([
    ['production', ['keys']],
    ['development', []],
  ])('in %s, logs at the start that stored fields cannot be decrypted without a lost key', async (nodeEnv, failed) => {
    const settings = { NODE_ENV: nodeEnv, COUNTERSIGN_RECEIPTS: 'off', COUNTERSIGN_ORIGINS: 'https://shop.example' }
    const first = await open({ ...settings, COUNTERSIGN_RP_ID: 'shop.example' })
    await initiate(first)
    await first.announce()
    await first.close()
    const checks = ({ logger }: Pick<typeof first, 'logger'>) => logger.entries.filter(({ event }) => event === 'check_failed')
    expect(checks(first)).toEqual([])
    const lost = { COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom) }
    const second = await open({ ...settings, COUNTERSIGN_RP_ID: 'shop.example', ...lost })
    await second.announce()
    await second.close()
    expect(checks(second).map(({ fields }) => fields?.check)).toEqual(failed)
  })

  it('with Web Push, stores only subscriptions that it can send to, notifies the browser of requests, and removes a subscription that is gone', async () => {
    const { close, logger, ...opened } = await open({
      COUNTERSIGN_PUSH: 'log,webpush',
      COUNTERSIGN_VAPID_PUBLIC_KEY: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      COUNTERSIGN_VAPID_PRIVATE_KEY: exampleKeys.privateKey,
      COUNTERSIGN_VAPID_SUBJECT: 'mailto:security@example.com',
    })
    const { caller } = await signInNewUser(opened)
    const { device } = await registerTestDevice(opened, caller)
    const set = (pushToken: string) => opened.countersign.devices.setPushToken({ caller, deviceId: device.id, pushToken })
    for (const endpoint of ['https://internal.example.com/', 'http://10.0.0.1/', 'https://fcm.googleapis.com:8443/'])
      await expect(set(subscriptionToken(endpoint))).rejects.toThrow(errors.Invalid)
    await set(subscriptionToken(receiver.url))
    receiver.answerWith(410)
    const asked = { caller, actionType: 'password_change', actionPayload: { userId: 1 } } as const
    const { id } = await opened.countersign.confirmations.initiate(asked)
    await close()
    const [message] = receiver.received.map(({ bytes }) => JSON.parse(decryptPush(bytes)))
    expect(message).toMatchObject({ type: 'confirmation.requested', confirmationId: id })
    expect(logger.entries).toContainEqual({ level: 'info', event: 'push_token_removed', fields: { deviceId: device.id } })
  })

  it('uses the configured lifetimes and limits', async () => {
    const { close, ...opened } = await open({
      COUNTERSIGN_CONFIRMATION_TTL_SECONDS: '7',
      COUNTERSIGN_CHALLENGE_TTL_SECONDS: '5',
      COUNTERSIGN_ACCESS_TTL_SECONDS: '60',
      COUNTERSIGN_REFRESH_TTL_SECONDS: '120',
      COUNTERSIGN_SESSION_TTL_SECONDS: '180',
      COUNTERSIGN_RATE_LIMITS: 'off',
    })
    const { id } = await initiate(opened)
    const asked = await opened.storage.confirmations.byId(id)
    expect((asked?.expiresAt ?? 0) - (asked?.createdAt ?? 0)).toBe(7000)
    const challenge = await opened.countersign.mobile.beginLogin({ deviceFingerprint: 'x' })
    expect(challenge.expiresAt - challenge.createdAt).toBe(5000)
    expect(await opened.countersign.rateLimits.take({ category: 'authentication', subject: 'x' })).toBeUndefined()
    const { email } = await createTestUser(opened)
    const lives = async (rememberMe: boolean) => {
      const { accessToken, refreshToken } = await opened.countersign.auth.login({ email, password: testPassword, rememberMe })
      return [accessToken, refreshToken].map(decodeJwt).map(({ exp = 0, iat = 0 }) => exp - iat)
    }
    expect([await lives(false), await lives(true)]).toEqual([
      [60, 120],
      [60, 180],
    ])
    await close()
  })

  it('applies the configured limit of each category', async () => {
    const { close, countersign } = await open({ COUNTERSIGN_RATE_LIMIT_BEGINNING: '2/1/5' })
    const outcome = await countersign.rateLimits.take({ category: 'beginning', subject: 'x' })
    expect(outcome?.limit).toEqual({ burst: 2, refillMs: 60_000, windowMax: 5, windowMs: 300_000 })
    await close()
  })

  it('has the configured parts, or the parts that the host names', async () => {
    const config = readConfig({ ...env, COUNTERSIGN_PARTS: 'projects' })
    const logger = recordingLogger()
    const configured = await openCountersign(config, { logger })
    expect([...configured.countersign.parts]).toEqual(['identity', 'projects'])
    expect(configured.countersign.confirmations).toBeUndefined()
    await configured.close()
    const named = await openCountersign(config, { logger, parts: ['approvals'] })
    expect([...named.countersign.parts]).toEqual(['identity', 'approvals'])
    expect(named.countersign).not.toHaveProperty('projects')
    await named.close()
  })

  it('uses the configured relying party', async () => {
    const { countersign, close } = await open({
      COUNTERSIGN_RP_ID: 'example.test',
      COUNTERSIGN_RP_NAME: 'Example',
      COUNTERSIGN_ORIGINS: 'https://app.example.test',
    })
    const { caller } = await signInNewUser({ countersign })
    const { challengeId, publicKey } = await countersign.passkeys.beginRegistration({ caller })
    expect(publicKey.rp).toEqual({ id: 'example.test', name: 'Example' })
    const credential = createVirtualPasskey({ origin: 'https://app.example.test' }).create(publicKey)
    expect(await countersign.passkeys.finishRegistration({ caller, challengeId, credential })).toMatchObject({
      id: credential.id,
    })
    await close()
  })

  it('applies the configured passkey options', async () => {
    const { countersign, close } = await open({
      COUNTERSIGN_LEAST_USER_VERIFICATION: 'required',
      COUNTERSIGN_PASSKEY_LISTS: 'off',
    })
    const input = { email: 'ada@example.com', userVerification: 'discouraged' } as const
    const { publicKey } = await countersign.passkeys.beginLogin(input)
    expect(publicKey).toMatchObject({ userVerification: 'required', allowCredentials: [] })
    await close()
  })

  it('puts new devices on probation as its configuration says', async () => {
    const { countersign, close } = await open({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const { caller } = await signInNewUser({ countersign })
    const first = await registerTestDevice({ countersign }, caller)
    const second = await registerTestDevice({ countersign }, caller)
    expect([first.device, second.device]).toMatchObject([{ trusted: true }, { trusted: false, trustedAt: null }])
    await close()
  })

  it('applies the configured age of fresh sessions and the configured cooling-off', async () => {
    const { countersign, storage, close } = await open({
      COUNTERSIGN_FRESH_SECONDS: '1',
      COUNTERSIGN_COOLING_OFF_SECONDS: '60',
    })
    const { caller } = await signInNewUser({ countersign })
    const session = await storage.sessions.byId(caller.sessionId)
    const older = { ...aSession({ userId: caller.userId }), createdAt: (session?.createdAt ?? 0) - 2000 }
    await storage.sessions.open(older)
    const { device } = await registerTestDevice({ countersign }, { ...caller, sessionId: older.id })
    expect(device.trustedAt).toBe(device.createdAt + 60_000)
    await close()
  })

  it('applies the configured age limit of approvals', async () => {
    const { countersign, close } = await open({ COUNTERSIGN_APPROVAL_MAX_AGE_SECONDS: '60' })
    const use = { confirmationId: 'conf_1', userId: 1, actionType: 'x', actionPayload: {}, consumedBy: 'x', maxAge: 60_001 }
    await expect(countersign.confirmations.consume(use)).rejects.toThrow('from 1 to 60000')
    await close()
  })

  it('asks for the number of every approval if its configuration says so', async () => {
    const [plain, careful] = [await open(), await open({ COUNTERSIGN_NUMBER_MATCHING: 'on' })]
    expect((await initiate(plain)).matchNumber).toBeNull()
    expect((await initiate(careful)).matchNumber).toMatch(/^[0-9]{2}$/)
    await Promise.all([plain.close(), careful.close()])
  })

  it('delivers its last push message before it closes', async () => {
    const { close, ...opened } = await open()
    await initiate(opened)
    await close()
    expect(receiver.received).toHaveLength(1)
    await expect(opened.storage.ping()).rejects.toThrow()
  })

  it('retries no push message after the time limit for closing', async () => {
    receiver.answerWith(500)
    const { close, logger, ...opened } = await open()
    await initiate(opened)
    await expect.poll(() => receiver.received.length).toBe(1)
    await close(1000)
    expect(receiver.received).toHaveLength(1)
    expect(logger.entries).toContainEqual(
      expect.objectContaining({ event: 'push_failed', fields: expect.objectContaining({ reason: 'PushStopped' }) }),
    )
  })
})
