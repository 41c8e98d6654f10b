import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { expect, test } from 'vitest'
import { webhookPush } from '../../packages/server/src/identity/push/webhook-push.ts'
import { startWebhookReceiver } from '../../packages/server/src/testing/webhook-receiver.ts'
import { blocksOfTest } from './blocks-of-test.ts'
import { showsOutput } from './compare-output.ts'

const [shown] = blocksOfTest(import.meta.filename)

test(`${shown.at} shows the actual message to a webhook`, async () => {
  const receiver = await startWebhookReceiver()
  try {
    const clock = fakeClock(Date.parse('2026-01-01T12:00:00.000Z'))
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    await webhookPush({ url: receiver.url, secret, clock, logger: recordingLogger() }).send({
      pushToken: 'push-token-1',
      deviceId: 'device-1',
      confirmationId: 'conf_1',
      actionType: 'payment_approval',
      expiresAt: clock.now() + 300_000,
    })
    const [given] = receiver.received
    expect(showsOutput(shown.text, given?.body ?? '', 'json'), given?.body).toBe(true)
  } finally {
    await receiver.close()
  }
})
