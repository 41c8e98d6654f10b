import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { approve, approvePayment } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { type DeviceUser, registerTestDevice, signInByDevice, signInNewDeviceUser, testPassword } from '../../testing/sign-in.ts'
import { aKeyRing, aReceiptKeyRing } from '../../testing/test-keys.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import type { InitiatedConfirmation } from '../confirmations/build-confirmation.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import { generateReceiptKeyRing, parseReceiptKeyRing } from '../receipt-keys/receipt-key-ring.ts'
import type { UncountedReason } from '../requests/errors.ts'
import { ActionMismatch, ConfirmationConsumed, ConfirmationNotApproved, ConfirmationTooOld } from '../use/errors.ts'
import type { ConsumeApproval, ConsumedApproval } from './host.ts'

const payment = validPayloads.payment_approval

let test: TestCountersign
let user: DeviceUser
let confirmation: InitiatedConfirmation
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  confirmation = await approvePayment(test, user)
})

/** Consumes as the host would, with these changes. */
const consume = (changes: Partial<ConsumeApproval> = {}): Promise<ConsumedApproval> =>
  test.countersign.confirmations.consume({
    confirmationId: confirmation.id,
    userId: user.user.id,
    actionType: 'payment_approval',
    actionPayload: payment,
    consumedBy: 'payment 1',
    ...changes,
  })

/** Checks that the approval is refused, and that the error and the log of the host say why. */
const expectUncounted = async (reason: UncountedReason, userId = user.user.id) => {
  const confirmationId = confirmation.id
  const uncounted = [{ userId, confirmationId, reason }]
  await expect(consume({ userId })).rejects.toStrictEqual(new ConfirmationNotApproved(uncounted))
  const line = { level: 'info', event: 'approvals_not_counted', fields: { confirmationId, uncounted } }
  expect(test.logger.entries.at(-1)).toStrictEqual(line)
}

const stored = () => test.storage.confirmations.byId(confirmation.id)

describe('consuming an approval', () => {
  it('gives no receipt if the host configured no receipts', async () => {
    const { storage, clock, jwtKeys, encryptionKeys } = test
    const { countersign } = await createTestCountersign({ storage, clock, jwtKeys, encryptionKeys, receipts: undefined })
    test = { ...test, countersign }
    expect(await consume()).toStrictEqual({ receipt: null, consumedAt: clock.now() })
  })

  it('stores the time and the consumer, and returns the receipt', async () => {
    test.clock.advance(1000)
    const consumedAt = test.clock.now()
    expect(await consume()).toStrictEqual({ receipt: expect.stringMatching(/~$/), consumedAt })
    expect(await stored()).toMatchObject({ status: 'approved', consumedAt, consumedBy: 'host:payment 1', consumedKey: null })
  })

  it('succeeds once: another operation is refused', async () => {
    await consume()
    await expect(consume({ consumedBy: 'payment 2' })).rejects.toStrictEqual(new ConfirmationConsumed())
  })

  it('can be repeated by the same operation, with the same answer, also if the approval is old meanwhile', async () => {
    const first = await consume()
    test.clock.advance(minutes(60))
    expect(await consume()).toStrictEqual(first)
    await expect(consume({ actionPayload: { ...payment, amount: 1 } })).rejects.toStrictEqual(new ActionMismatch())
  })

  it('gives exactly the same receipt again after a change of the receipt key and of the encryption key', async () => {
    const issuer = 'https://auth.example.com'
    const [before, after] = [parseReceiptKeyRing(generateReceiptKeyRing('ES256')), aReceiptKeyRing()]
    const { storage, clock, jwtKeys, encryptionKeys } = test
    const hostWith = (changes: TestCountersignOverrides) =>
      createTestCountersign({ storage, clock, jwtKeys, encryptionKeys, ...changes })
    test = await hostWith({ receipts: { keys: before, issuer } })
    const first = await consume()
    const [kid = ''] = before.keys.map((key) => key.kid)
    await test.countersign.receipts.retireKey({ kid })
    const { current, secrets } = aKeyRing()
    const newKeys = { current, secrets: new Map([...secrets, ...encryptionKeys.secrets]) }
    test = await hostWith({ receipts: { keys: after, issuer }, encryptionKeys: newKeys })
    clock.advance(minutes(60))
    expect(await consume()).toStrictEqual(first)
  })

  it('gives a new receipt at a repeated call if the host had no receipts at the first call', async () => {
    const { storage, clock, jwtKeys, encryptionKeys } = test
    const withReceipts = test
    test = await createTestCountersign({ storage, clock, jwtKeys, encryptionKeys, receipts: undefined })
    expect(await consume()).toMatchObject({ receipt: null })
    test = withReceipts
    expect(await consume()).toMatchObject({ receipt: expect.stringMatching(/~$/) })
  })

  it('compares the payload by value: the order of members and the form of numbers do not count', async () => {
    const { amount, currency, recipient } = payment
    await expect(consume({ actionPayload: { recipient, currency, amount } })).resolves.toMatchObject({
      consumedAt: expect.any(Number),
    })
  })

  it.each([
    { ...payment, amount: 1250.51 },
    { ...payment, amount: '1250.5' },
    { ...payment, currency: 'USD' },
    { ...payment, note: 'x' },
    { amount: payment.amount, currency: payment.currency },
    {},
  ])('is refused for the payload %j', async (actionPayload) => {
    await expect(consume({ actionPayload })).rejects.toStrictEqual(new ActionMismatch())
    expect(await stored()).toMatchObject({ consumedAt: null })
  })

  it('is refused for another action type', async () => {
    await expect(consume({ actionType: 'purchase_order' })).rejects.toStrictEqual(new ActionMismatch())
  })

  it('is refused for another user', async () => {
    const other = await signInNewDeviceUser(test)
    await expect(consume({ userId: other.user.id })).rejects.toStrictEqual(new ConfirmationNotFound())
    await expect(consume({ confirmationId: 'conf_unknown' })).rejects.toStrictEqual(new ConfirmationNotFound())
  })

  it('is refused while nobody approved, and after a rejection', async () => {
    const pending = await initiatePayment(test, user.web.caller)
    const { id: confirmationId } = pending
    await expect(consume({ confirmationId })).rejects.toStrictEqual(new ConfirmationNotApproved())
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId })
    await expect(consume({ confirmationId })).rejects.toStrictEqual(new ConfirmationNotApproved())
  })

  it('is possible for 10 minutes after the approval, and no millisecond longer', async () => {
    test.clock.advance(minutes(10) + 1)
    await expect(consume()).rejects.toStrictEqual(new ConfirmationTooOld())
    test.clock.advance(-1)
    await expect(consume()).resolves.toMatchObject({ consumedAt: expect.any(Number) })
  })

  it('is refused if the clock was set back by more than 10 minutes after the approval', async () => {
    test.clock.advance(minutes(20))
    confirmation = await approvePayment(test, user)
    test.clock.advance(-minutes(10) - 1)
    await expect(consume()).rejects.toStrictEqual(new ConfirmationTooOld())
    test.clock.advance(1)
    await expect(consume()).resolves.toMatchObject({ consumedAt: expect.any(Number) })
  })

  it('is possible for a shorter time if the caller asks for that, never for a longer one', async () => {
    test.clock.advance(minutes(1))
    await expect(consume({ maxAge: minutes(1) - 1 })).rejects.toStrictEqual(new ConfirmationTooOld())
    for (const maxAge of [0, -1, 0.5, Number.NaN, minutes(10) + 1]) {
      await expect(consume({ maxAge })).rejects.toThrow(Invalid)
    }
    await expect(consume({ maxAge: minutes(1) })).resolves.toMatchObject({ consumedAt: expect.any(Number) })
  })

  it('is possible for as long as the host allows', async () => {
    test = await createTestCountersign({ options: { approvalMaxAge: minutes(2) } })
    user = await signInNewDeviceUser(test)
    confirmation = await approvePayment(test, user)
    test.clock.advance(minutes(2) + 1)
    await expect(consume()).rejects.toStrictEqual(new ConfirmationTooOld())
    await expect(consume({ maxAge: minutes(3) })).rejects.toThrow('from 1 to 120000')
  })

  it('is refused for a vouching', async () => {
    test = await createTestCountersign({ options: { enrolment: 'vouched' } })
    user = await signInNewDeviceUser(test)
    const registered = await registerTestDevice(test, user.web.caller)
    const [vouching] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
    if (vouching === undefined || registered.device.vouching === undefined) throw new Error('no vouching was started')
    const { matchNumber } = registered.device.vouching
    const { id: confirmationId, challenge, actionPayloadText } = vouching
    const signedChallenge = user.signer.sign(challenge)
    const { caller } = user.mobile
    const deviceId = user.device.id
    await test.countersign.confirmations.approve({ caller, confirmationId, deviceId, signedChallenge, matchNumber })
    const action = { actionType: 'device_register', actionPayload: JSON.parse(actionPayloadText) }
    await expect(consume({ confirmationId, ...action })).rejects.toStrictEqual(new ConfirmationNotApproved())
  })

  it('is possible for a `device_register` that a session initiated', async () => {
    const action = { actionType: 'device_register', actionPayload: validPayloads.device_register } as const
    const initiated = await test.countersign.confirmations.initiate({ caller: user.web.caller, ...action })
    await approve(test, user, initiated)
    await expect(consume({ confirmationId: initiated.id, ...action })).resolves.toMatchObject({ consumedAt: expect.any(Number) })
  })

  it('is refused once the account is locked, also after the unlock', async () => {
    const { email } = user.user
    await test.countersign.users.lock({ email })
    await expectUncounted('voided')
    await test.countersign.users.unlock({ email })
    await expectUncounted('voided')
  })

  it('is refused once the user is disabled, also after the user is enabled again', async () => {
    const { email } = user.user
    await test.countersign.users.disable({ email })
    await expectUncounted('voided')
    await test.countersign.users.enable({ email })
    await expectUncounted('voided')
  })

  it('is refused once the device is removed', async () => {
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId: user.device.id })
    await expectUncounted('key_removed')
  })

  it('is refused while the device is not trusted', async () => {
    test.clock.advance(-1)
    await expectUncounted('key_not_trusted')
    test.clock.advance(1)
    await consume()
  })

  it('is refused for a user who was disabled or locked, also if no approval was voided', async () => {
    const { id } = user.user
    const now = test.clock.now()
    const stored = await test.storage.users.byId(id)
    await test.storage.users.change(id, stored?.version ?? 0, { disabledAt: now }, now)
    await expectUncounted('user_disabled')
    await test.storage.users.change(id, (stored?.version ?? 0) + 1, { disabledAt: null }, now)
    await test.storage.users.setLock(id, now, now)
    await expectUncounted('user_locked')
  })

  it('is refused with a `client` on a database that cannot share a transaction', async () => {
    const client = { query: async () => ({ rows: [] }) }
    const given = { confirmationId: confirmation.id, userId: user.user.id, actionType: 'x', actionPayload: {}, consumedBy: 'x' }
    await expect(test.countersign.confirmations.consume(given, { client })).rejects.toThrow(TypeError)
  })
})

describe('a host with a user directory', () => {
  it('cannot consume an approval that was given before the directory disabled the user', async () => {
    const directory = memoryDirectory()
    test = await createTestCountersign({ users: directory })
    const email = 'ada@example.test'
    const id = await directory.add({ email, passwordHash: await test.passwords.hash(testPassword), disabled: false })
    const tokens = await test.countersign.auth.login({ email, password: testPassword })
    const caller = await test.countersign.auth.authenticate({ token: tokens.accessToken })
    const registered = await registerTestDevice(test, caller)
    const mobile = await signInByDevice(test, registered)
    confirmation = await initiatePayment(test, caller)
    await approve(test, { ...registered, mobile }, confirmation)
    const { userId } = caller
    await directory.change(id, { disabled: true })
    await expectUncounted('voided', userId)
    await directory.change(id, { disabled: false })
    await expectUncounted('voided', userId)
  })
})
