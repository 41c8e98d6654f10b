import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { approvePayment } from '../testing/approve-payment.ts'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { initiatePayment } from '../testing/initiate-payment.ts'
import { signInNewDeviceUser, signInNewUser } from '../testing/sign-in.ts'
import { hours, minutes, seconds } from './clock.ts'

const AHEAD = minutes(10)

/** A `Countersign` whose clock was corrected: the database's clock is ten minutes ahead of the machine's. */
const given = async () => {
  const clock: FakeClock = { ...fakeClock(), offset: () => AHEAD }
  return createTestCountersign({ clock })
}
const secondOf = (instant: number) => Math.floor(instant / 1000)

it("access tokens and service tokens have times of the machine's clock", async () => {
  const test = await given()
  const machineNow = secondOf(test.clock.now() - AHEAD)
  const { tokens } = await signInNewUser(test)
  expect(decodeJwt(tokens.accessToken)).toMatchObject({ iat: machineNow, exp: machineNow + hours(8) / 1000 })
  expect(tokens.accessTokenExpiresAt).toBe(seconds(machineNow) + hours(8))
  const service = await test.countersign.serviceTokens.issue({ service: 'billing', ttlSeconds: 60 })
  expect(decodeJwt(service.token)).toMatchObject({ iat: machineNow, exp: machineNow + 60 })
  expect(service.expiresAt).toBe(seconds(machineNow + 60))
})

it('an access token is valid until its expiry by the clock of the machine, also if it is cached', async () => {
  const test = await given()
  const { tokens } = await signInNewUser(test)
  const isValid = () =>
    test.countersign.auth.authenticate({ token: tokens.accessToken }).then(
      () => true,
      () => false,
    )
  test.clock.set(tokens.accessTokenExpiresAt + AHEAD - 1)
  expect(await isValid()).toBe(true)
  test.clock.advance(1)
  expect(await isValid()).toBe(false)
})

it("refresh tokens, sessions and confirmations have times of the database's clock", async () => {
  const test = await given()
  const { tokens, caller } = await signInNewUser(test)
  expect(decodeJwt(tokens.refreshToken).iat).toBe(secondOf(test.clock.now()))
  expect((await test.storage.sessions.byId(caller.sessionId))?.createdAt).toBe(test.clock.now())
  test.clock.set(tokens.refreshTokenExpiresAt - 1)
  const { refreshToken } = await test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })
  expect(decodeJwt(refreshToken).iat).toBe(secondOf(test.clock.now()))
  const confirmation = await initiatePayment(test, caller)
  expect(confirmation.expiresAt).toBe(test.clock.now() + minutes(5))
})

it('a receipt is issued by the clock of the machine, and never before its approval', async () => {
  const test = await given()
  const user = await signInNewDeviceUser(test)
  const { id: confirmationId } = await approvePayment(test, user)
  const approvedAt = test.clock.now()
  const issuedAt = async () =>
    decodeJwt((await test.countersign.receipts.ofUser({ caller: user.web.caller, confirmationId })).split('~')[0] ?? '').iat
  expect(await issuedAt()).toBe(secondOf(approvedAt))
  test.clock.advance(AHEAD + seconds(5))
  expect(await issuedAt()).toBe(secondOf(approvedAt + seconds(5)))
})

it("no receipt is issued after its key was retired, even if the machine's clock is ahead of the database's", async () => {
  const clock: FakeClock = { ...fakeClock(), offset: () => -AHEAD }
  const test = await createTestCountersign({ clock })
  const user = await signInNewDeviceUser(test)
  const { id: confirmationId } = await approvePayment(test, user)
  const receipt = () => test.countersign.receipts.ofUser({ caller: user.web.caller, confirmationId })
  expect(await receipt()).toContain('~')
  const [key] = (await test.countersign.receipts.keys()) ?? []
  await test.countersign.receipts.retireKey({ kid: key?.kid ?? '' })
  // Published keys are known for a second. The key ends a second later.
  test.clock.advance(seconds(1))
  await expect(receipt()).rejects.toMatchObject({ code: 'receipts_unavailable' })
})
