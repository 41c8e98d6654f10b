import { recordingLogger } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { createPush } from './create-push.ts'

const message = {
  type: 'confirmation.requested',
  pushToken: 'push-token-1',
  deviceId: 'device-1',
  confirmationId: 'conf_1',
  actionType: 'payment_approval',
  count: 1,
  expiresAt: 0,
} as const

it('with none, no message is sent or logged', async () => {
  const logger = recordingLogger()
  const { provider } = await createPush({ provider: 'none' }, logger)
  await provider.send(message)
  expect([await provider.health(), logger.entries]).toEqual(['not_configured', []])
})

it('with log, messages are logged without the push token', async () => {
  const logger = recordingLogger()
  const { provider } = await createPush({ provider: 'log' }, logger)
  await provider.send(message)
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
  const { provider } = await createPush({ provider: 'log' }, logger)
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

it('with webhook, messages go to a webhook', async () => {
  const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  const { provider, stop } = await createPush({ provider: 'webhook', url: 'http://127.0.0.1:1/', secret }, recordingLogger())
  stop()
  await expect(provider.send({ ...message, expiresAt: Date.now() + 60_000 })).rejects.toMatchObject({ name: 'WebhookStopped' })
})
