import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'

const window = seconds(10)

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test, { pushToken: 'the token of the phone' })
  await test.background.drain()
})

/** Initiates a number of confirmations, runs the background work that is due, and returns the id of the last confirmation. */
const ask = async (times = 1, on = test) => {
  let last = ''
  for (let time = 0; time < times; time += 1) last = (await initiatePayment(on, user.web.caller)).id
  await on.background.drain()
  return last
}

/** Returns the messages about confirmations since the beginning. */
const told = (on = test) =>
  on.push.sent.flatMap((message) => (message.type === 'confirmation.requested' ? [[message.confirmationId, message.count]] : []))

const pass = async (milliseconds: number, on = test) => {
  test.clock.advance(milliseconds)
  await on.background.drain()
}

describe('a phone', () => {
  it('rings once for fifty requests in two seconds, and once more at the end of ten seconds', async () => {
    const first = await ask()
    let newest = ''
    for (let time = 0; time < 49; time += 1) {
      test.clock.advance(40)
      newest = await ask()
    }
    expect(told()).toEqual([[first, 1]])
    await pass(window - 49 * 40 - 1)
    expect(told()).toEqual([[first, 1]])
    await pass(1)
    expect(told()).toEqual([
      [first, 1],
      [newest, 49],
    ])
    await pass(window)
    expect(told()).toHaveLength(2)
  })

  it('rings at once for a request after ten quiet seconds', async () => {
    const first = await ask()
    test.clock.advance(window)
    const second = await ask()
    expect(told()).toEqual([
      [first, 1],
      [second, 1],
    ])
  })

  it('rings at the end of ten seconds for two requests, also if the newer one was settled by then', async () => {
    const first = await ask()
    await ask()
    const newest = await ask()
    await test.countersign.confirmations.withdraw({ caller: user.web.caller, confirmationId: newest })
    await pass(window)
    expect(told()).toEqual([
      [first, 1],
      [newest, 2],
    ])
  })

  it('rings every ten seconds, not more often, while requests go on', async () => {
    for (let time = 0; time < 60; time += 1) {
      await ask()
      await pass(seconds(1))
    }
    expect(told().map(([, count]) => count)).toEqual([1, 9, 10, 10, 10, 10, 10])
  })

  it('gets at the end of the ten seconds a message with the expiry of the newest confirmation', async () => {
    await ask()
    test.clock.advance(seconds(3))
    const { id, expiresAt } = await initiatePayment(test, user.web.caller)
    await test.background.drain()
    await pass(window)
    expect(test.push.sent.at(-1)).toMatchObject({ confirmationId: id, expiresAt, count: 1 })
  })

  it('of another user rings independently', async () => {
    const other = await signInNewDeviceUser(test, { pushToken: 'the token of a stranger' })
    await ask()
    await initiatePayment(test, other.web.caller)
    await test.background.drain()
    expect(told()).toHaveLength(2)
  })
})

describe('a window of ten seconds does not begin', () => {
  it('with a notice about the account, and such a notice is sent at once inside a window', async () => {
    await test.countersign.users.setPassword({ email: user.user.email, password: 'another correct horse battery' })
    await test.background.drain()
    user = await signInNewDeviceUser(test, { pushToken: 'the token of the tablet' })
    const first = await ask()
    const before = test.push.sent.length
    await registerTestDevice(test, user.web.caller)
    await test.background.drain()
    expect(test.push.sent.slice(before)).toMatchObject([{ type: 'account.changed', change: 'device_registered' }])
    expect(told()).toEqual([[first, 1]])
  })

  it('with a message that no device got, and messages that waited meanwhile are sent at once', async () => {
    const send = vi.spyOn(test.push, 'send')
    let newest = ''
    send.mockImplementationOnce(async () => {
      // While the first delivery is tried, two more requests come.
      for (let time = 0; time < 2; time += 1) newest = (await initiatePayment(test, user.web.caller)).id
      for (let time = 0; time < 2; time += 1) await waiting.shift()?.()
      throw new TypeError('the provider is away')
    })
    const waiting: (() => Promise<void>)[] = []
    const run = vi.spyOn(test.background, 'run').mockImplementation((work, delay = 0) => {
      if (delay === 0) waiting.push(work)
    })
    const { id: first } = await initiatePayment(test, user.web.caller)
    while (waiting.length > 0) await waiting.shift()?.()
    run.mockRestore()
    expect(send.mock.calls.map(([message]) => 'count' in message && [message.confirmationId, message.count])).toEqual([
      [first, 1],
      [newest, 2],
    ])
  })

  it('for a user without a push token', async () => {
    const { web, device } = await signInNewDeviceUser(test)
    await initiatePayment(test, web.caller)
    await test.background.drain()
    await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken: 'a first token' })
    const { id } = await initiatePayment(test, web.caller)
    await test.background.drain()
    expect(told()).toEqual([[id, 1]])
  })

  it('with a failed delivery, so each request is tried at once', async () => {
    test.push.failWith(new TypeError('the provider is away'))
    const ids = [await ask(), await ask()]
    expect(told()).toEqual(ids.map((id) => [id, 1]))
  })
})

describe('two servers on one database', () => {
  it('together ring a phone once in ten seconds', async () => {
    const other = await createTestCountersign(test)
    const first = await ask()
    await ask(2)
    const newest = await ask(2, other)
    test.clock.advance(window)
    await Promise.all([test.background.drain(), other.background.drain()])
    expect([...told(), ...told(other)].sort()).toEqual(
      [
        [first, 1],
        [newest, 4],
      ].sort(),
    )
  })

  it('report the requests that a crashed server left waiting, together with the next request', async () => {
    const crashed = await createTestCountersign(test)
    await ask()
    await ask(3, crashed)
    test.clock.advance(window + 1)
    const next = await ask()
    expect(told().at(-1)).toEqual([next, 4])
    await crashed.background.drain()
    expect(told(crashed)).toEqual([])
  })
})
