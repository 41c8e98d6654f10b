import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PushProvider, PushTokenGone } from '@countersign/core'
import { recordingLogger } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PushProviderName } from '../../config/push-config.ts'
import { readConfig } from '../../config/read-config.ts'
import { exampleKeys, subscriptionToken } from '../../testing/browser-subscription.ts'
import { aPushMessage } from '../../testing/push-message.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { createPush } from './create-push.ts'

let receiver: WebhookReceiver

beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
const webhook = () => ({ provider: 'webhook', url: receiver.url, secret }) as const
const message = () => aPushMessage({ pushToken: 'push-token-1', expiresAt: Date.now() + 60_000 })

it('without a provider, no message is sent or logged', async () => {
  const logger = recordingLogger()
  const { provider } = await createPush([], { logger })
  await provider.send(message())
  expect([await provider.health(), logger.entries]).toEqual(['not_configured', []])
})

it('with log, messages are logged without the push token', async () => {
  const logger = recordingLogger()
  const { provider } = await createPush([{ provider: 'log' }], { logger })
  await provider.send(message())
  expect(await provider.health()).toBe('healthy')
  expect(logger.entries).toEqual([
    {
      level: 'info',
      event: 'push',
      fields: { confirmationId: 'conf_1', actionType: 'payment_approval', count: 1, deviceId: 'device-1' },
    },
  ])
})

it('the log names the kind of a change of the account', async () => {
  const logger = recordingLogger()
  const { provider } = await createPush([{ provider: 'log' }], { logger })
  await provider.send({
    type: 'account.changed',
    noticeId: 'notice_1',
    change: 'device_removed',
    occurredAt: 0,
    expiresAt: 0,
    pushToken: 'push-token-1',
    deviceId: 'device-1',
  })
  expect(logger.entries).toEqual([{ level: 'info', event: 'push', fields: { change: 'device_removed', deviceId: 'device-1' } }])
})

it('the webhook gets a message before the log, whatever their order in the list is', async () => {
  const logger = recordingLogger()
  const { provider } = await createPush([{ provider: 'log' }, webhook()], { logger })
  await provider.send(message())
  expect([receiver.received.length, logger.entries]).toEqual([1, []])
})

it('messages go to the webhook until the providers are stopped', async () => {
  const { provider, stop } = await createPush([webhook()], { logger: recordingLogger() })
  stop()
  await expect(provider.send(message())).rejects.toMatchObject({ name: 'PushStopped' })
})

it('push is unhealthy if one provider is, and messages are counted by the name of the provider', async () => {
  const counted: string[] = []
  const monitor = {
    countingPush: (push: PushProvider, name: string) => {
      counted.push(name)
      return push
    },
  }
  const { provider } = await createPush([webhook(), { provider: 'log' }], { logger: recordingLogger(), monitor })
  receiver.answerWith(410)
  await expect(provider.send(message())).rejects.toBeInstanceOf(PushTokenGone)
  expect(await provider.health()).toBe('healthy')
  receiver.answerWith(401)
  for (let round = 0; round < 3; round += 1) await provider.send(message()).catch(() => {})
  expect([await provider.health(), counted]).toEqual(['unhealthy', ['webhook', 'log']])
})

describe('a push token', () => {
  const apnsToken = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad'
  const fcmToken = `cRb7ZX3dQ8-kL0_xPqWvTn:APA91b${'HJ3kLmNpQrStUvWxYz0123456789_-'.repeat(4)}AbCdEfGh`
  const browserToken = subscriptionToken('https://fcm.googleapis.com/fcm/send/abc')

  const create = async (names: readonly PushProviderName[]) => {
    const root = await mkdtemp(join(tmpdir(), 'countersign-push-'))
    const privateKey = (type: 'rsa' | 'ec') =>
      (type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' })
      ).privateKey
        .export({ type: 'pkcs8', format: 'pem' })
        .toString()
    const account = { project_id: 'p', client_email: 'c', token_uri: 'https://localhost/', private_key: privateKey('rsa') }
    await writeFile(join(root, 'fcm.json'), JSON.stringify(account))
    await writeFile(join(root, 'apns.p8'), privateKey('ec'))
    const config = readConfig({
      COUNTERSIGN_PUSH: names.join(','),
      COUNTERSIGN_PUSH_WEBHOOK_URL: receiver.url,
      COUNTERSIGN_PUSH_WEBHOOK_SECRET: secret,
      COUNTERSIGN_VAPID_PUBLIC_KEY: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      COUNTERSIGN_VAPID_PRIVATE_KEY: exampleKeys.privateKey,
      COUNTERSIGN_VAPID_SUBJECT: 'mailto:security@example.com',
      COUNTERSIGN_FCM_CREDENTIALS_FILE: join(root, 'fcm.json'),
      COUNTERSIGN_APNS_KEY_FILE: join(root, 'apns.p8'),
      COUNTERSIGN_APNS_KEY_ID: 'ABC123DEFG',
      COUNTERSIGN_APNS_TEAM_ID: 'DEF123GHIJ',
      COUNTERSIGN_APNS_TOPIC: 'com.example.app',
    })
    const used: string[] = []
    const countingPush = (_: PushProvider, name: string): PushProvider => ({
      send: async () => void used.push(name),
      health: async () => 'healthy',
    })
    const { provider } = await createPush(config.push, { logger: recordingLogger(), monitor: { countingPush } })
    await rm(root, { recursive: true })
    const providerOf = async (pushToken: string) => {
      await provider.send({ ...message(), pushToken })
      return used.splice(0).join()
    }
    return Object.assign(providerOf, { faultOf: provider.faultOf })
  }

  it('goes to the provider of its form, and any other token to the webhook', async () => {
    const providerOf = await create(['log', 'webhook', 'fcm', 'apns', 'webpush'])
    expect(await providerOf(browserToken)).toBe('webpush')
    expect(await providerOf(apnsToken)).toBe('apns')
    expect(await providerOf(fcmToken)).toBe('fcm')
    expect(await providerOf('ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]')).toBe('webhook')
  })

  it('goes to the webhook, or else to the log, if the provider of its form is off', async () => {
    const providerOf = await create(['webhook', 'webpush'])
    expect([await providerOf(fcmToken), await providerOf(apnsToken)]).toEqual(['webhook', 'webhook'])
    expect(await (await create(['log', 'fcm']))(browserToken)).toBe('log')
  })

  it('that no provider accepts cannot be set, and the error names the accepted forms', async () => {
    const { faultOf } = await create(['fcm', 'apns', 'webpush'])
    for (const token of [fcmToken, apnsToken, browserToken]) expect(await faultOf?.(token)).toBeUndefined()
    for (const token of ['ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]', apnsToken.slice(2), '12345', '[]'])
      expect(await faultOf?.(token)).toBe(
        'must be a Web Push subscription as JSON, or a token of APNs (64 to 200 hexadecimal digits), or a token of FCM',
      )
    expect(await (await create(['fcm'])).faultOf?.(browserToken)).toBe('must be a token of FCM')
    for (const taker of ['webhook', 'log'] as const)
      expect(await (await create([taker, 'fcm'])).faultOf?.('any other')).toBeUndefined()
  })

  it('that no provider accepts makes its message fail with the reason', async () => {
    const providerOf = await create(['fcm'])
    await expect(providerOf(apnsToken)).rejects.toMatchObject({ name: 'NoProviderForToken' })
  })
})
