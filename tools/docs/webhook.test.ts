import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { expect, test } from 'vitest'
import { webhookPush } from '../../packages/server/src/identity/push/webhook-push.ts'
import { startWebhookReceiver } from '../../packages/server/src/testing/webhook-receiver.ts'
import { blocksOfTest } from './blocks-of-test.ts'
import { showsOutput } from './compare-output.ts'

const [confirmation, notice] = blocksOfTest(import.meta.filename)
if (notice === undefined) throw new Error('No page shows the message about a change of the account')

const clock = fakeClock(Date.parse('2026-01-01T12:00:00.000Z'))
const recipient = { pushToken: 'push-token-1', deviceId: 'device-1' }
const fiveMinutes = 300_000
const oneDay = 86_400_000

test.each([
  [
    confirmation,
    {
      type: 'confirmation.requested',
      confirmationId: 'conf_1',
      actionType: 'payment_approval',
      count: 1,
      expiresAt: clock.now() + fiveMinutes,
      ...recipient,
    },
  ],
  [
    notice,
    {
      type: 'account.changed',
      noticeId: 'notice_1',
      change: 'device_registered',
      occurredAt: clock.now(),
      expiresAt: clock.now() + oneDay,
      ...recipient,
    },
  ],
] as const)('$0.at shows the actual message to a webhook', async (shown, message) => {
  const receiver = await startWebhookReceiver()
  try {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    await webhookPush({ url: receiver.url, secret, clock, logger: recordingLogger() }).send(message)
    const [given] = receiver.received
    expect(showsOutput(shown.text, given?.body ?? '', 'json'), given?.body).toBe(true)
  } finally {
    await receiver.close()
  }
})
