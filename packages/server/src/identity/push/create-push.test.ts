import { type PushProvider, PushTokenGone } from '@countersign/core'
import { recordingLogger } from '@countersign/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { createPush } from './create-push.ts'

let receiver: WebhookReceiver

beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
const webhook = () => ({ provider: 'webhook', url: receiver.url, secret }) as const
const message = () =>
  ({
    type: 'confirmation.requested',
    pushToken: 'push-token-1',
    deviceId: 'device-1',
    confirmationId: 'conf_1',
    actionType: 'payment_approval',
    count: 1,
    expiresAt: Date.now() + 60_000,
  }) as const

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

it('writes the kind of a change of the account to the log', async () => {
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

it('the webhook takes a message before the log does, whatever their order in the list', async () => {
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

it('the providers are unhealthy if one of them is, and each is counted by its name', async () => {
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
