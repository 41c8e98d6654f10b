import type { IncomingHttpHeaders } from 'node:http'
import { type AccountChanged, PushTokenGone } from '@countersign/core'
import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { aPushMessage } from '../../testing/push-message.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { type WebhookPushOptions, webhookPush } from './webhook-push.ts'

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
let receiver: WebhookReceiver

beforeEach(async () => {
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

const create = (overrides: Partial<WebhookPushOptions> = {}) => {
  const logger = recordingLogger()
  // Starts at the real time, because `standardwebhooks` compares the time of a signature with the clock of the machine.
  const clock = fakeClock(Date.now())
  const push = webhookPush({ url: receiver.url, secret, logger, clock, firstPause: 1, ...overrides })
  const message = aPushMessage({ pushToken: 'push-token-1', expiresAt: clock.now() + 300_000 })
  return { push, logger, clock, message }
}

describe('a message', () => {
  it('is posted as JSON with a signature that the library verifies', async () => {
    const { push, message, clock } = create()
    await push.send(message)
    const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = receiver.received
    expect(headers['content-type']).toBe('application/json')
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(clock.now() / 1000)))
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      type: 'confirmation.requested',
      timestamp: new Date(clock.now()).toISOString(),
      data: {
        confirmationId: 'conf_1',
        actionType: 'payment_approval',
        count: 1,
        deviceId: 'device-1',
        pushToken: 'push-token-1',
        expiresAt: new Date(message.expiresAt).toISOString(),
      },
    })
    const other = new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)
    expect(() => other.verify(body, headers as Record<string, string>)).toThrow('No matching signature found')
  })

  it('about a change of the account names the change, and has an id of its own', async () => {
    const { push, clock } = create()
    const notice: AccountChanged = {
      type: 'account.changed',
      noticeId: 'notice_1',
      change: 'push_token_changed',
      occurredAt: clock.now(),
      expiresAt: clock.now() + 300_000,
      pushToken: 'push-token-1',
      deviceId: 'device-1',
    }
    await push.send(notice)
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received
    expect(headers).toMatchObject({ 'webhook-id': 'notice_1_device-1' })
    expect(JSON.parse(body)).toEqual({
      type: 'account.changed',
      timestamp: new Date(clock.now()).toISOString(),
      data: {
        noticeId: 'notice_1',
        change: 'push_token_changed',
        occurredAt: new Date(clock.now()).toISOString(),
        deviceId: 'device-1',
        pushToken: 'push-token-1',
        expiresAt: new Date(notice.expiresAt).toISOString(),
      },
    })
  })

  it('about a settled confirmation has an id of its own, and names the language of the app', async () => {
    const { push, message } = create()
    const { pushToken, deviceId, confirmationId, expiresAt } = message
    await push.send({ type: 'confirmation.settled', language: 'de', ...{ pushToken, deviceId, confirmationId, expiresAt } })
    const [{ headers, body } = { headers: {} as IncomingHttpHeaders, body: '' }] = receiver.received
    expect(headers['webhook-id']).toBe('conf_1_device-1_settled')
    expect(JSON.parse(body)).toMatchObject({
      type: 'confirmation.settled',
      data: { confirmationId, deviceId, pushToken, language: 'de', expiresAt: new Date(expiresAt).toISOString() },
    })
  })

  it.each([408, 429, 500, 503])('is sent again after %i with the same id', async (status) => {
    const { push, message, logger } = create()
    receiver.answerWith((response, attempt) => response.writeHead(attempt < 3 ? status : 200).end('thanks'))
    await push.send(message)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill('conf_1_device-1'))
    const failed = { confirmationId: 'conf_1', deviceId: 'device-1', reason: `HTTP_${status}` }
    expect(logger.entries).toEqual([
      { level: 'warn', event: 'push_attempt_failed', fields: { ...failed, attempt: 1 } },
      { level: 'warn', event: 'push_attempt_failed', fields: { ...failed, attempt: 2 } },
    ])
  })

  it('is sent again after a broken connection', async () => {
    const { push, message, logger } = create()
    receiver.answerWith((response, attempt) => {
      if (attempt === 1) response.destroy()
      else response.writeHead(200).end()
    })
    await push.send(message)
    expect(receiver.received).toHaveLength(2)
    expect(logger.entries).toHaveLength(1)
  })

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2500).toUTCString()],
  ])('is sent again when the receiver asked for it in Retry-After, as %s', async (_, retryAfter) => {
    const { push, message } = create()
    const times: number[] = []
    receiver.answerWith((response, attempt) => {
      times.push(performance.now())
      response.writeHead(attempt === 1 ? 429 : 200, { 'retry-after': retryAfter() }).end()
    })
    await push.send(message)
    const [first = 0, second = 0] = times
    expect(second - first).toBeGreaterThan(950)
  })

  it('is sent again after the usual pause if Retry-After is neither seconds nor a date', async () => {
    const { push, message } = create()
    receiver.answerWith((response, attempt) => response.writeHead(attempt === 1 ? 503 : 200, { 'retry-after': 'soon' }).end())
    await push.send(message)
    expect(receiver.received).toHaveLength(2)
  })

  it('is dropped immediately if Retry-After is later than its expiry', async () => {
    const { push, message } = create()
    receiver.answerWith((response) => response.writeHead(503, { 'retry-after': '301' }).end())
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushRefused' })
    expect(receiver.received).toHaveLength(1)
  })

  it('is dropped after six attempts', async () => {
    const { push, message } = create()
    receiver.answerWith(500)
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushRefused' })
    expect(receiver.received).toHaveLength(6)
  })

  it.each([400, 401, 403, 404, 301, 302, 307])('is dropped immediately after %i', async (status) => {
    const { push, message } = create()
    receiver.answerWith((response) => response.writeHead(status, { location: '/elsewhere' }).end())
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushRefused' })
    expect(receiver.received).toHaveLength(1)
  })

  it('is dropped immediately after 410, which means that the push token no longer exists', async () => {
    const { push, message } = create()
    receiver.answerWith(410)
    await expect(push.send(message)).rejects.toBeInstanceOf(PushTokenGone)
    expect(receiver.received).toHaveLength(1)
  })

  it('is not sent again after its expiry', async () => {
    const { push, message, clock } = create()
    receiver.answerWith((response) => {
      clock.set(message.expiresAt - 1)
      response.writeHead(500).end()
    })
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushRefused' })
    expect(receiver.received).toHaveLength(1)
  })

  it('is not sent if it expired while waiting', async () => {
    const { push, message, clock } = create()
    clock.set(message.expiresAt)
    await expect(push.send(message)).rejects.toMatchObject({ name: 'PushExpired' })
    expect(receiver.received).toHaveLength(0)
  })

  it('has a limited time for each attempt, including the body of the response', async () => {
    const { push, message, logger } = create({ attemptTime: 300 })
    receiver.answerWith((response, attempt) => {
      if (attempt === 3) response.writeHead(200).end()
      // The first attempt gets no response.
      else if (attempt === 2) response.writeHead(500).write('never ends')
    })
    await push.send(message)
    expect(receiver.received).toHaveLength(3)
    expect(logger.entries.map(({ fields }) => fields.reason)).toEqual(['TimeoutError', 'HTTP_500'])
  })

  it('is not logged with its push token or the secret', async () => {
    const { push, message, logger } = create()
    receiver.answerWith(500)
    await expect(push.send(message)).rejects.toThrow()
    expect(JSON.stringify(logger.entries)).not.toMatch(/push-token-1|whsec_/)
  })
})

describe('many messages', () => {
  it('are sent a few at a time, and a limited number can wait', async () => {
    const { push, message } = create({ concurrency: 2, queue: 3 })
    let underWay = 0
    let most = 0
    receiver.answerWith((response) => {
      underWay += 1
      most = Math.max(most, underWay)
      setImmediate(() => {
        underWay -= 1
        response.writeHead(204).end()
      })
    })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) => push.send({ ...message, deviceId: `device-${at}` })),
    )
    expect(most).toBe(2)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'unavailable' })
  })

  it('are sent while another message waits for Retry-After, and the waiting message is dropped on stop', async () => {
    const { push, message } = create({ concurrency: 1 })
    receiver.answerWith((response, attempt) => response.writeHead(attempt === 1 ? 429 : 200, { 'retry-after': '200' }).end())
    const waiting = push.send(message)
    await push.send({ ...message, deviceId: 'device-2' })
    push.stop()
    await expect(waiting).rejects.toMatchObject({ name: 'PushStopped' })
    expect(receiver.received).toHaveLength(2)
  })

  it('are dropped on stop, except for an attempt that is under way', async () => {
    const { push, message } = create({ concurrency: 1, firstPause: 60_000 })
    let answerFirst: (status: number) => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      receiver.answerWith((response) => {
        answerFirst = (status) => response.writeHead(status).end()
        resolve()
      })
    })
    const first = push.send(message)
    const second = push.send({ ...message, deviceId: 'device-2' })
    await arrived
    push.stop()
    answerFirst(500)
    await expect(first).rejects.toMatchObject({ name: 'PushStopped' })
    await expect(second).rejects.toMatchObject({ name: 'PushStopped' })
    expect(receiver.received).toHaveLength(1)
  })
})

it('the provider is unhealthy after three failed deliveries in a row, until a delivery succeeds', async () => {
  const { push, message } = create()
  const health: string[] = []
  const deliver = async (status: number) => {
    receiver.answerWith(status)
    await push.send(message).catch(() => {})
    health.push(await push.health())
  }
  for (const status of [401, 401, 200, 404, 403, 302, 401, 200]) await deliver(status)
  expect(health).toEqual(['healthy', 'healthy', 'healthy', 'healthy', 'healthy', 'unhealthy', 'unhealthy', 'healthy'])
})

it('a message that failed and then expired while others were sent counts as a failed delivery', async () => {
  const { push, message, clock } = create({ concurrency: 1 })
  for (let round = 0; round < 3; round += 1) {
    const expiring = { ...message, expiresAt: clock.now() + 60_000 }
    const failing = push.send(expiring)
    const blocking = push.send({ ...message, deviceId: 'device-2', expiresAt: clock.now() + 86_400_000 })
    receiver.answerWith((response) => {
      const { deviceId } = JSON.parse(receiver.received.at(-1)?.body ?? '').data
      if (deviceId === 'device-1') return void response.writeHead(500).end()
      clock.set(expiring.expiresAt)
      // Holds the only place until the other message is ready for its second attempt.
      setTimeout(() => response.writeHead(400).end(), 50)
    })
    await expect(failing).rejects.toMatchObject({ name: 'PushRefused', code: 'HTTP_500' })
    await expect(blocking).rejects.toMatchObject({ code: 'HTTP_400' })
  }
  expect(await push.health()).toBe('unhealthy')
})

it('the provider stays healthy if single devices are refused because their tokens or the message are refused', async () => {
  const { push, message } = create()
  for (const status of [410, 410, 410, 410, 400, 413, 422]) {
    receiver.answerWith(status)
    await push.send(message).catch(() => {})
  }
  expect(await push.health()).toBe('healthy')
})

it('a refusal for one device neither counts as a failure nor resets the count of failures', async () => {
  const { push, message } = create()
  for (const status of [401, 410, 401, 400, 401]) {
    receiver.answerWith(status)
    await push.send(message).catch(() => {})
  }
  expect(await push.health()).toBe('unhealthy')
})
