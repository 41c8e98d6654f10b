import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { registerTestDevice, signIn, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'

/** Prepares a user with a trusted phone, and a new phone that an old session has registered. */
const given = async () => {
  const test = await createTestCountersign()
  const { user, web, ...phone } = await signInNewDeviceUser(test)
  test.clock.advance(minutes(11))
  const { caller: trusted } = await signInByDevice(test, phone)
  const added = await registerTestDevice(test, web.caller)
  const { caller: probation } = await signInByDevice(test, added)
  const { vouching, confirmations } = test.countersign
  const deviceId = added.device.id
  const numberOf = added.device.vouching?.matchNumber
  const approve = async (matchNumber: string) => {
    const [waiting] = await confirmations.pending({ caller: trusted })
    const signedChallenge = phone.signer.sign(waiting?.challenge ?? '')
    const approval = { confirmationId: waiting?.id ?? '', deviceId: phone.device.id, signedChallenge, matchNumber }
    await confirmations.approve({ caller: trusted, ...approval })
  }
  const read = (caller = probation) => vouching.read({ caller, deviceId })
  const restart = (caller = probation) => vouching.restart({ caller, deviceId })
  return { ...test, user, web, phoneId: phone.device.id, trusted, probation, deviceId, numberOf, approve, read, restart }
}

let test: Awaited<ReturnType<typeof given>>
beforeEach(async () => {
  test = await given()
})

describe('the vouching for a device', () => {
  it('is read with the number in force by the device and by the session that registered it, and by nobody else', async () => {
    const pending = { status: 'pending', matchNumber: test.numberOf, triesLeft: 3, expiresAt: expect.any(Number) }
    expect(await test.read()).toStrictEqual(pending)
    expect(await test.read(test.web.caller)).toStrictEqual(pending)
    const stranger = await signInNewDeviceUser(test)
    const another = await signIn(test, test.user)
    for (const caller of [test.trusted, stranger.mobile.caller, another.caller])
      await expect(test.read(caller)).rejects.toMatchObject({ code: 'device_not_found' })
  })

  it('has the new number after a restart by the trusted phone, which approves with it', async () => {
    expect((await test.restart(test.trusted)).matchNumber).toBeNull()
    const { matchNumber } = await test.read()
    await test.approve(matchNumber ?? '')
    expect(await test.read()).toMatchObject({ status: 'approved', matchNumber: null })
  })

  it('is expired or rejected without a number, and the new phone asks again', async () => {
    test.clock.set((await test.read()).expiresAt ?? 0)
    expect(await test.read()).toMatchObject({ status: 'expired', matchNumber: null })
    const again = await test.restart()
    expect(await test.read()).toMatchObject({ status: 'pending', matchNumber: again.matchNumber, triesLeft: 2 })
    const wrong = again.matchNumber === '00' ? '01' : '00'
    for (let attempt = 0; attempt < 2; attempt += 1) await expect(test.approve(wrong)).rejects.toThrow('Wrong number')
    expect(await test.read()).toMatchObject({ status: 'rejected', matchNumber: null })
    await test.restart(test.web.caller)
    expect(await test.read()).toMatchObject({ status: 'pending', triesLeft: 1 })
  })

  it('is started again at most three times, however many start it at the same time', async () => {
    const callers = [test.probation, test.trusted, test.web.caller, test.probation, test.trusted, test.web.caller]
    const started = await Promise.allSettled(callers.map((caller) => test.restart(caller)))
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await test.read()).toMatchObject({ status: 'pending', triesLeft: 0 })
    // One number is in force: the one that the new phone reads.
    await test.approve((await test.read()).matchNumber ?? '')
  })

  it('is not started again if nobody could vouch, because the trusted phone was removed', async () => {
    const { devices } = test.countersign
    await devices.remove({ caller: test.web.caller, deviceId: test.phoneId })
    await expect(test.restart()).rejects.toMatchObject({ code: 'no_trusted_device' })
  })

  it('is started again three times in a day, whoever starts it, and again on the next day', async () => {
    for (const caller of [test.trusted, test.probation, test.web.caller]) await test.restart(caller)
    expect(await test.read()).toMatchObject({ status: 'pending', triesLeft: 0 })
    const tooMany = { code: 'too_many_vouchings', retryAfterMs: hours(24) }
    for (const caller of [test.probation, test.trusted]) await expect(test.restart(caller)).rejects.toMatchObject(tooMany)
    test.clock.advance(hours(24))
    expect(await test.read()).toMatchObject({ status: 'expired', triesLeft: 3 })
    await test.restart()
  })
})
