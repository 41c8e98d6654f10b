import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { minutes } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import {
  type DeviceUser,
  registerTestDevice,
  type SignedIn,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
} from '../../testing/sign-in.ts'
import type { InitiatedConfirmation } from './build-confirmation.ts'
import { ConfirmationUsed } from './errors.ts'

let test: TestCountersign
let user: DeviceUser
let thief: SignedIn
let confirmation: InitiatedConfirmation
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  thief = await signIn(test, user.user)
  confirmation = await initiatePayment(test, thief.caller)
})

const rejectAsNotMe = (caller = user.mobile.caller) =>
  test.countersign.confirmations.reject({ caller, confirmationId: confirmation.id, notMe: true })

const isLive = async (sessionId: string) => (await test.storage.sessions.status(sessionId)) !== undefined

describe('a device that rejects with `notMe`', () => {
  it('ends the session that asked, and no other session', async () => {
    expect(await rejectAsNotMe()).toStrictEqual({ sessionEnded: true })
    expect(await test.storage.sessions.byId(thief.caller.sessionId)).toMatchObject({ endReason: 'not_me' })
    await expect(test.countersign.auth.authenticate({ token: thief.tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    await expect(test.countersign.auth.refresh({ refreshToken: thief.tokens.refreshToken })).rejects.toThrow(
      'Invalid refresh token',
    )
    expect(await isLive(user.web.caller.sessionId)).toBe(true)
    expect(await isLive(user.mobile.caller.sessionId)).toBe(true)
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ status: 'rejected' })
  })

  it('ends no session if the confirmation was settled before', async () => {
    await test.countersign.confirmations.reject({ caller: thief.caller, confirmationId: confirmation.id })
    await expect(rejectAsNotMe()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await isLive(thief.caller.sessionId)).toBe(true)
  })

  it('reports no ended session if the session has ended before', async () => {
    await test.countersign.auth.logout({ caller: thief.caller, refreshToken: thief.tokens.refreshToken })
    expect(await rejectAsNotMe()).toStrictEqual({ sessionEnded: false })
  })

  it('ends no session if an approval wins at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      confirmation = await initiatePayment(test, thief.caller)
      const [approved, rejected] = await Promise.allSettled([
        test.countersign.confirmations.approve({
          caller: user.mobile.caller,
          confirmationId: confirmation.id,
          deviceId: user.device.id,
          signedChallenge: user.signer.sign(confirmation.challenge),
        }),
        rejectAsNotMe(),
      ])
      expect([approved.status, rejected.status].sort()).toStrictEqual(['fulfilled', 'rejected'])
      expect(await isLive(thief.caller.sessionId)).toBe(approved.status === 'fulfilled')
      if (rejected.status === 'fulfilled') thief = await signIn(test, user.user)
    }
  })

  it('ends no session if the device was removed meanwhile', async () => {
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    await expect(rejectAsNotMe()).rejects.toThrow(InvalidAccessToken)
    expect(await isLive(thief.caller.sessionId)).toBe(true)
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ status: 'pending' })
  })

  it('only rejects if nobody knows which session asked', async () => {
    confirmation = await initiatePayment(test, { userId: user.user.id })
    expect(await rejectAsNotMe()).toStrictEqual({ sessionEnded: false })
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ status: 'rejected' })
    expect(await isLive(thief.caller.sessionId)).toBe(true)
  })
})

describe('a session without a trusted device', () => {
  it('cannot reject with `notMe` if its device is on probation', async () => {
    test.clock.advance(minutes(11))
    const probationer = await signInByDevice(test, await registerTestDevice(test, thief.caller))
    confirmation = await initiatePayment(test, user.web.caller)
    await expect(rejectAsNotMe(probationer.caller)).rejects.toStrictEqual(new InsufficientTrustLevel())
    const formerlyTrusted = { ...probationer.caller, trustLevel: 'high' as const }
    await expect(rejectAsNotMe(formerlyTrusted)).rejects.toStrictEqual(new InsufficientTrustLevel())
    expect(await isLive(user.web.caller.sessionId)).toBe(true)
  })

  it('cannot reject with `notMe`, so that a thief cannot end the session of the user', async () => {
    confirmation = await initiatePayment(test, user.web.caller)
    await expect(rejectAsNotMe(thief.caller)).rejects.toStrictEqual(new InsufficientTrustLevel())
    expect(await isLive(user.web.caller.sessionId)).toBe(true)
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ status: 'pending' })
  })
})
