import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestDevice, signIn, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'

describe('if the user has the largest allowed number of devices', () => {
  const full = async () => {
    const test = await createTestCountersign({ options: { devicesPerUser: 3 } })
    const phone = await signInNewDeviceUser(test, { pushToken: 'push-phone' })
    // The web session is too old to register a trusted device.
    test.clock.advance(minutes(11))
    const older = await registerTestDevice(test, phone.web.caller)
    test.clock.advance(1)
    const newer = await registerTestDevice(test, phone.web.caller, { pushToken: 'push-newer' })
    const { caller } = await signInByDevice(test, newer)
    await test.background.drain()
    return { ...test, ...phone, older, newer, newerSession: caller }
  }
  const idsOf = async (test: Awaited<ReturnType<typeof full>>) =>
    (await test.countersign.devices.list({ caller: test.web.caller })).map(({ id }) => id)

  it('a trusted device takes the place of the newest device on probation, whose sessions end', async () => {
    const test = await full()
    const { caller } = await signIn(test, test.user)
    const { device } = await registerTestDevice(test, caller)
    expect(device.trusted).toBe(true)
    expect(await idsOf(test)).toStrictEqual([test.device.id, test.older.device.id, device.id])
    expect(await test.storage.sessions.status(test.newerSession.sessionId)).toBeUndefined()
    await test.background.drain()
    expect(test.push.sent).toContainEqual(expect.objectContaining({ change: 'device_removed' }))
  })

  it('what the sessions of the removed device asked for leaves the phone', async () => {
    const test = await full()
    const { id: confirmationId } = await initiatePayment(test, test.newerSession)
    await test.background.drain()
    const { caller } = await signIn(test, test.user)
    await registerTestDevice(test, caller)
    await test.background.drain()
    expect(test.push.sent).toContainEqual(expect.objectContaining({ type: 'confirmation.settled', confirmationId }))
  })

  it('a device on probation is refused, and so is a trusted device if no other device is on probation', async () => {
    const test = await full()
    const tooMany = { code: 'too_many_devices' }
    await expect(registerTestDevice(test, test.web.caller)).rejects.toMatchObject(tooMany)
    for (const { device } of [test.older, test.newer]) await test.countersign.devices.trust({ id: device.id })
    const { caller } = await signIn(test, test.user)
    await expect(registerTestDevice(test, caller)).rejects.toMatchObject(tooMany)
    expect(await idsOf(test)).toHaveLength(3)
  })

  it('a device on probation stays when the trusted one is refused for another reason', async () => {
    const test = await full()
    const { caller } = await signIn(test, test.user)
    const { deviceFingerprint } = test.older.device
    await expect(registerTestDevice(test, caller, { deviceFingerprint })).rejects.toMatchObject({
      code: 'device_already_registered',
    })
    expect(await idsOf(test)).toHaveLength(3)
  })
})
