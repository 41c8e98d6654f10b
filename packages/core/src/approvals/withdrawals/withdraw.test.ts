import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { MissingScope } from '../../identity/authentication/calling-service.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { Forbidden } from '../../shared/errors.ts'
import { approve } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, registerTestDevice, signIn, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import type { InitiatedConfirmation } from '../confirmations/build-confirmation.ts'
import { ConfirmationExpired, ConfirmationNotFound, ConfirmationUsed } from '../confirmations/errors.ts'
import type { ConfirmationStep } from '../observer.ts'

const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: ['confirmation.initiate:payment_approval', 'confirmation.read:payment_approval'] }

let test: TestCountersign
let user: DeviceUser
let confirmation: InitiatedConfirmation
let steps: ConfirmationStep[]
beforeEach(async () => {
  steps = []
  test = await createTestCountersign({ observer: { confirmation: (step) => void steps.push(step) } })
  user = await signInNewDeviceUser(test)
  confirmation = await initiatePayment(test, user.web.caller)
})

const withdraw = (confirmationId = confirmation.id, caller = user.web.caller) =>
  test.countersign.confirmations.withdraw({ caller, confirmationId })
const status = () => test.countersign.confirmations.status({ caller: user.web.caller, confirmationId: confirmation.id })
const pending = () => test.countersign.confirmations.pending({ caller: user.mobile.caller })

describe('withdrawing a confirmation', () => {
  it('removes it from the phone; its status is then `expired`, with the time of the withdrawal', async () => {
    test.clock.advance(1000)
    const withdrawnAt = test.clock.now()
    expect(await withdraw()).toStrictEqual({ id: confirmation.id, withdrawnAt })
    test.clock.advance(1000)
    expect(await pending()).toStrictEqual([])
    expect(await status()).toMatchObject({ status: 'expired', withdrawnAt, updatedAt: withdrawnAt })
    expect(steps.at(-1)).toStrictEqual({ actionType: 'payment_approval', outcome: 'withdrawn' })
    expect(await test.countersign.confirmations.show({ confirmationId: confirmation.id })).toMatchObject({ withdrawnAt })
  })

  it('makes a later signature or rejection fail', async () => {
    await withdraw()
    await expect(approve(test, user, confirmation)).rejects.toStrictEqual(new ConfirmationExpired())
    const rejected = test.countersign.confirmations.reject({ caller: user.mobile.caller, confirmationId: confirmation.id })
    await expect(rejected).rejects.toStrictEqual(new ConfirmationExpired())
  })

  it('is possible once, and not after a decision or the expiry', async () => {
    await withdraw()
    await expect(withdraw()).rejects.toStrictEqual(new ConfirmationExpired())
    confirmation = await initiatePayment(test, user.web.caller)
    await approve(test, user, confirmation)
    await expect(withdraw()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await status()).toMatchObject({ status: 'approved', withdrawnAt: null })
    confirmation = await initiatePayment(test, user.web.caller)
    test.clock.set(confirmation.expiresAt)
    await expect(withdraw()).rejects.toStrictEqual(new ConfirmationExpired())
  })

  it('frees a place for another confirmation', async () => {
    test = await createTestCountersign({ options: { pendingConfirmationsPerUser: 1 } })
    user = await signInNewDeviceUser(test)
    confirmation = await initiatePayment(test, user.web.caller)
    await withdraw()
    await expect(initiatePayment(test, user.web.caller)).resolves.toMatchObject({ id: expect.any(String) })
  })

  it('is refused for the confirmation of another user as if there were none', async () => {
    const { caller } = await signInNewUser(test)
    await expect(withdraw(confirmation.id, caller)).rejects.toStrictEqual(new ConfirmationNotFound())
    expect(await status()).toMatchObject({ status: 'pending' })
  })

  it('is refused in a session that has ended', async () => {
    await test.countersign.auth.logout({ caller: user.web.caller, refreshToken: user.web.tokens.refreshToken })
    await expect(withdraw()).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await pending()).toHaveLength(1)
  })

  it('is refused for a confirmation that a service asked for, and for a vouching', async () => {
    const { id } = await test.countersign.services.initiate({ ...action, service, userId: user.user.id })
    await expect(withdraw(id)).rejects.toStrictEqual(new Forbidden())
    test.clock.advance(11 * 60_000)
    const { caller } = await signIn(test, user.user)
    test.clock.advance(11 * 60_000)
    const { device } = await registerTestDevice(test, caller)
    expect(device.trusted).toBe(false)
    const vouching = (await pending()).find(({ actionType }) => actionType === 'device_register')
    await expect(withdraw(vouching?.id ?? 'none', caller)).rejects.toStrictEqual(new Forbidden())
    expect((await pending()).map(({ actionType }) => actionType)).toContain('device_register')
  })
})

describe('a service that withdraws', () => {
  const asked = () => test.countersign.services.initiate({ ...action, service, userId: user.user.id })
  const withdrawAs = (caller: { readonly name: string; readonly scopes: readonly string[] }, confirmationId: string) =>
    test.countersign.services.withdraw({ service: caller, confirmationId })

  it('ends its own confirmation, and can read the time of the withdrawal', async () => {
    const { id } = await asked()
    const withdrawnAt = test.clock.now()
    expect(await withdrawAs(service, id)).toStrictEqual({ id, withdrawnAt })
    const read = test.countersign.services.confirmation({ service, confirmationId: id })
    expect(await read).toMatchObject({ status: 'expired', withdrawnAt })
    await expect(withdrawAs(service, id)).rejects.toStrictEqual(new ConfirmationExpired())
  })

  it('gets 404 for confirmations of another service, of users or of another type', async () => {
    const { id } = await asked()
    const unknown = new ConfirmationNotFound()
    await expect(withdrawAs({ ...service, name: 'shipping' }, id)).rejects.toStrictEqual(unknown)
    await expect(withdrawAs(service, confirmation.id)).rejects.toStrictEqual(unknown)
    await expect(withdrawAs({ name: 'billing', scopes: ['confirmation.initiate:user_access'] }, id)).rejects.toStrictEqual(
      unknown,
    )
    await expect(withdrawAs({ name: 'billing', scopes: ['confirmation.read:*'] }, id)).rejects.toThrow(MissingScope)
    const { status: unchanged } = await test.countersign.services.confirmation({ service, confirmationId: id })
    expect(unchanged).toBe('pending')
  })
})
