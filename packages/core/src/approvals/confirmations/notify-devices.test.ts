import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { Unavailable } from '../../shared/errors.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { createTestDevice, type TestDevice } from '../../testing/test-device.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

const pushToken = 'canary-push-token-1'
const payment = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test, { pushToken })
  await test.background.drain()
})

/** Returns the messages about confirmations. */
const requests = () => test.push.sent.filter(({ type }) => type === 'confirmation.requested')

describe('a push message', () => {
  it('is sent after the response', async () => {
    await initiatePayment(test, user.web.caller)
    expect(test.push.sent).toStrictEqual([])
    expect(test.background.waiting).toBe(1)
    await test.background.drain()
    expect(test.push.sent).toHaveLength(1)
  })

  it('contains the id and the type of the confirmation, and nothing of the payload', async () => {
    const { id, expiresAt } = await initiatePayment(test, user.web.caller)
    await test.background.drain()
    expect(test.push.sent).toStrictEqual([
      {
        type: 'confirmation.requested',
        pushToken,
        deviceId: user.device.id,
        confirmationId: id,
        actionType: 'payment_approval',
        count: 1,
        expiresAt,
      },
    ])
  })

  it('is sent to every active device of the user that has a push token, and to no other device', async () => {
    const second = await registerTestDevice(test, user.web.caller, { pushToken: 'another token' })
    await registerTestDevice(test, user.web.caller)
    const removed = await registerTestDevice(test, user.web.caller, { pushToken: 'a token of the past' })
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: removed.device.id })
    await signInNewDeviceUser(test, { pushToken: 'the token of a stranger' })
    await initiatePayment(test, user.web.caller)
    await test.background.drain()
    const reached = requests().map((message) => [message.deviceId, message.pushToken])
    expect(reached.sort()).toStrictEqual(
      [
        [user.device.id, pushToken],
        [second.device.id, 'another token'],
      ].sort(),
    )
  })

  it('is not sent if no device has a push token, and nothing is logged', async () => {
    await initiatePayment(test, (await signInNewDeviceUser(test)).web.caller)
    await initiatePayment(test, (await signInNewUser(test)).caller)
    await test.background.drain()
    expect(test.push.sent).toStrictEqual([])
    expect(test.logger.entries).toStrictEqual([])
  })

  it('is not sent for a refused confirmation', async () => {
    const actionPayload = { amount: -1, currency: 'EUR', recipient: 'ACME' }
    const refused = test.countersign.confirmations.initiate({
      caller: user.web.caller,
      actionType: 'payment_approval',
      actionPayload,
    })
    await expect(refused).rejects.toThrow('must be a number, or a decimal number as text, that is not negative')
    expect(test.background.waiting).toBe(0)
  })
})

describe('a push provider that fails', () => {
  it('leaves the confirmation pending', async () => {
    test.push.failWith(new Error('the push service is away'))
    const { id } = await initiatePayment(test, user.web.caller)
    await expect(test.background.drain()).resolves.toBeUndefined()
    expect(await test.countersign.confirmations.pending({ caller: user.mobile.caller })).toMatchObject([{ id }])
  })

  it('is logged once for each device, without the push token and without the message of the provider', async () => {
    const { device } = await registerTestDevice(test, user.web.caller, { pushToken: 'canary-push-token-2' })
    await test.background.drain()
    test.push.failWith(new TypeError(`no such token: ${pushToken}`))
    const { id } = await initiatePayment(test, user.web.caller, { recipient: 'canary-recipient' })
    await test.background.drain()
    expect(test.logger.entries).toHaveLength(2)
    expect(test.logger.entries).toStrictEqual(
      expect.arrayContaining(
        [user.device.id, device.id].map((deviceId) => ({
          level: 'warn',
          event: 'push_failed',
          fields: { confirmationId: id, deviceId, reason: 'TypeError' },
        })),
      ),
    )
    expect(JSON.stringify(test.logger.entries)).not.toContain('canary')
  })

  it('still gets the messages to other devices if the token of one device cannot be decrypted', async () => {
    const rotated = await createTestCountersign({ ...test, encryptionKeys: (await createTestCountersign()).encryptionKeys })
    const { device } = await registerTestDevice(rotated, user.web.caller, { pushToken: 'a readable token' })
    const { id } = await initiatePayment(rotated, user.web.caller)
    await rotated.background.drain()
    expect(rotated.push.sent.map(({ deviceId }) => deviceId)).toStrictEqual([device.id])
    expect(rotated.logger.entries.filter(({ fields }) => fields.confirmationId === id)).toMatchObject([
      { event: 'push_failed', fields: { deviceId: user.device.id, reason: 'FieldNotOpened' } },
    ])
  })

  it('is not called if the database is unavailable', async () => {
    await initiatePayment(test, user.web.caller)
    await test.storage.close()
    await expect(test.background.drain()).resolves.toBeUndefined()
    expect(test.push.sent).toStrictEqual([])
    expect(test.logger.entries).toMatchObject([{ event: 'push_failed', fields: { reason: Unavailable.name } }])
  })
})

describe('the notification of a settled confirmation', () => {
  const settled = () => test.push.sent.filter(({ type }) => type === 'confirmation.settled')
  const announced = async () => {
    const asked = await initiatePayment(test, user.web.caller)
    await test.background.drain()
    return asked
  }
  const approve = ({ id, challenge }: { id: string; challenge: string }) =>
    test.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(challenge),
    })

  it('is replaced on the other devices of the user, and not on the device that approved', async () => {
    const other = await registerTestDevice(test, user.web.caller, { pushToken: 'another token' })
    await test.background.drain()
    const asked = await announced()
    await approve(asked)
    expect(settled()).toStrictEqual([])
    await test.background.drain()
    expect(settled()).toStrictEqual([
      {
        type: 'confirmation.settled',
        pushToken: 'another token',
        deviceId: other.device.id,
        confirmationId: asked.id,
        expiresAt: asked.expiresAt,
      },
    ])
  })

  it.each([
    ['rejected by a web session', 'reject'],
    ['withdrawn', 'withdraw'],
  ] as const)('is replaced if the confirmation was %s', async (_, decide) => {
    const { id } = await announced()
    await test.countersign.confirmations[decide]({ caller: user.web.caller, confirmationId: id })
    await test.background.drain()
    expect(settled()).toMatchObject([{ confirmationId: id, deviceId: user.device.id }])
  })

  const wrongly = async ({ id, challenge }: { id: string; challenge: string }, signer: TestDevice, matchNumber?: string) => {
    const signed = { confirmationId: id, deviceId: user.device.id, signedChallenge: signer.sign(challenge) }
    const answer = { caller: user.mobile.caller, ...signed, ...(matchNumber !== undefined && { matchNumber }) }
    await expect(test.countersign.confirmations.approve(answer)).rejects.toThrow()
    await test.background.drain()
  }

  it('is replaced at the fifth wrong signature, and not before', async () => {
    const asked = await announced()
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      expect(settled()).toStrictEqual([])
      await wrongly(asked, createTestDevice('ES256'))
    }
    expect(settled()).toMatchObject([{ confirmationId: asked.id, deviceId: user.device.id }])
  })

  it('is replaced at the second wrong match number, and not before', async () => {
    const { actionType, actionPayload } = payment
    const asked = await test.countersign.confirmations.initiate({
      ...{ caller: user.web.caller, actionType, actionPayload, numberMatching: true },
    })
    await test.background.drain()
    for (const offset of [1, 2]) {
      expect(settled()).toStrictEqual([])
      await wrongly(asked, user.signer, String((Number(asked.matchNumber) + offset) % 100).padStart(2, '0'))
    }
    expect(settled()).toMatchObject([{ confirmationId: asked.id }])
  })

  it.each([
    ['an administrator locks the account', () => test.countersign.users.lock({ email: user.user.email })],
    ['an administrator disables the user', () => test.countersign.users.disable({ email: user.user.email })],
    ['the user locks the account', () => test.countersign.account.lock({ caller: user.mobile.caller })],
    [
      'the session that asked is ended',
      () => test.countersign.sessions.endOwn({ caller: user.mobile.caller, sessionId: user.web.caller.sessionId }),
    ],
  ] as const)('is replaced when %s', async (_, end) => {
    const { id } = await announced()
    await end()
    await test.background.drain()
    expect(settled()).toMatchObject([{ confirmationId: id, deviceId: user.device.id }])
  })

  it('is not sent if the user got no message since the confirmation was created', async () => {
    const stranger = await signInNewDeviceUser(test)
    const { id } = await initiatePayment(test, stranger.web.caller)
    await test.background.drain()
    const { caller } = stranger.web
    await test.countersign.devices.setPushToken({ caller, deviceId: stranger.device.id, pushToken: 'a later token' })
    await test.countersign.confirmations.reject({ caller, confirmationId: id })
    await test.background.drain()
    expect(settled()).toStrictEqual([])
  })

  it('is not sent if the confirmation was settled while the message waited for the end of a window', async () => {
    await announced()
    const { id } = await initiatePayment(test, user.web.caller)
    await test.background.drain()
    await test.countersign.confirmations.withdraw({ caller: user.web.caller, confirmationId: id })
    test.clock.advance(10_000)
    await test.background.drain()
    expect(requests().map((message) => 'confirmationId' in message && message.confirmationId)).not.toContain(id)
  })

  it('does not make the decision fail if it cannot be replaced', async () => {
    const asked = await announced()
    test.push.failWith(new TypeError('no'))
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId: asked.id })
    await test.background.drain()
    expect(test.logger.entries.at(-1)).toMatchObject({ event: 'push_failed', fields: { confirmationId: asked.id } })
  })
})

it('a message names the language that the app asked for with its push token', async () => {
  const set = (language?: string) =>
    test.countersign.devices.setPushToken({
      caller: user.web.caller,
      deviceId: user.device.id,
      pushToken,
      ...(language !== undefined && { language }),
    })
  await set('de-CH')
  await initiatePayment(test, user.web.caller)
  await test.background.drain()
  expect(requests()).toMatchObject([{ language: 'de-CH', pushToken }])
  await set()
  test.clock.advance(10_001)
  await initiatePayment(test, user.web.caller)
  await test.background.drain()
  expect(requests().at(-1)).not.toHaveProperty('language')
  for (const language of ['de_CH', 'x', 'de-\0', 'toolonglanguage'])
    await expect(set(language)).rejects.toThrow('language: must be')
})
