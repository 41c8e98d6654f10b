import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { createTestDevice } from '../../testing/test-device.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import type { InitiatedConfirmation } from './build-confirmation.ts'
import { ConfirmationUsed, WrongConfirmationSignature, WrongMatchNumber } from './errors.ts'

let test: TestCountersign
let user: DeviceUser
const given = async (options: { readonly numberMatching?: boolean } = {}) => {
  test = await createTestCountersign({ options })
  user = await signInNewDeviceUser(test)
}
beforeEach(() => given())

const initiate = (numberMatching?: boolean, extended?: boolean): Promise<InitiatedConfirmation> =>
  test.countersign.confirmations.initiate({
    caller: user.web.caller,
    actionType: 'payment_approval',
    actionPayload: validPayloads.payment_approval,
    ...(numberMatching === undefined ? {} : { numberMatching }),
    ...(extended === undefined ? {} : { extended }),
  })

const verify = ({ id, challenge }: InitiatedConfirmation, matchNumber?: string, signer = user.signer) =>
  test.countersign.confirmations.approve({
    caller: user.mobile.caller,
    confirmationId: id,
    deviceId: user.device.id,
    signedChallenge: signer.sign(challenge),
    ...(matchNumber === undefined ? {} : { matchNumber }),
  })

const statusOf = async ({ id }: InitiatedConfirmation) =>
  (await test.countersign.confirmations.status({ caller: user.web.caller, confirmationId: id })).status

/** Returns another number of two digits. */
const wrong = ({ matchNumber }: InitiatedConfirmation, offset = 1): string =>
  String((Number(matchNumber) + offset) % 100).padStart(2, '0')

describe('a confirmation', () => {
  it.each([
    [false, undefined, false],
    [false, false, false],
    [false, true, true],
    [true, undefined, true],
    [true, false, true],
    [true, true, true],
  ] as const)('has a match number or none: option of the host %s, request %s, number %s', async (option, request, expected) => {
    await given({ numberMatching: option })
    const { matchNumber } = await initiate(request)
    if (expected) expect(matchNumber).toMatch(/^[0-9]{2}$/)
    else expect(matchNumber).toBeNull()
  })

  it.each([
    ['the request demands', false, true],
    ['the option of the host demands', true, false],
  ] as const)('is refused if %s a match number that the response would not show', async (_, option, request) => {
    await given({ numberMatching: option })
    await expect(initiate(request, false)).rejects.toMatchObject({ fields: { extended: expect.stringMatching(/^must be 1/) } })
    expect(await test.countersign.confirmations.pending({ caller: user.mobile.caller })).toStrictEqual([])
  })

  it('is initiated without a match number if the response cannot show one', async () => {
    expect((await initiate(false, false)).matchNumber).toBeNull()
  })

  it('says to the device that a number is needed, and never which number', async () => {
    const { id, matchNumber } = await initiate(true)
    const [pending] = await test.countersign.confirmations.pending({ caller: user.mobile.caller })
    expect(pending).toMatchObject({ id, numberMatching: true })
    expect(pending).not.toHaveProperty('matchNumber')
    const stored = await test.storage.confirmations.byId(id)
    expect(stored?.matchNumber).toMatch(/^v1\./)
    expect(stored?.matchNumber).not.toBe(matchNumber)
    const status = await test.countersign.confirmations.status({ caller: user.web.caller, confirmationId: id })
    expect(status).not.toHaveProperty('matchNumber')
  })
})

describe('an approval with number matching', () => {
  it('succeeds with the number of the page', async () => {
    const confirmation = await initiate(true)
    await verify(confirmation, confirmation.matchNumber ?? '')
    expect(await statusOf(confirmation)).toBe('approved')
  })

  it('is refused without a number, and the refusal is not counted', async () => {
    const confirmation = await initiate(true)
    for (let attempt = 0; attempt < 3; attempt += 1) await expect(verify(confirmation)).rejects.toThrow(Invalid)
    await verify(confirmation, confirmation.matchNumber ?? '')
    expect(await statusOf(confirmation)).toBe('approved')
  })

  it('is refused with a wrong number, and the right number still succeeds', async () => {
    const confirmation = await initiate(true)
    await expect(verify(confirmation, wrong(confirmation))).rejects.toStrictEqual(new WrongMatchNumber())
    expect(await statusOf(confirmation)).toBe('pending')
    await verify(confirmation, confirmation.matchNumber ?? '')
    expect(await statusOf(confirmation)).toBe('approved')
  })

  it('is rejected by the second wrong number, and the right number comes too late', async () => {
    const confirmation = await initiate(true)
    await expect(verify(confirmation, wrong(confirmation, 1))).rejects.toThrow(WrongMatchNumber)
    await expect(verify(confirmation, wrong(confirmation, 2))).rejects.toThrow(WrongMatchNumber)
    expect(await statusOf(confirmation)).toBe('rejected')
    await expect(verify(confirmation, confirmation.matchNumber ?? '')).rejects.toStrictEqual(new ConfirmationUsed())
  })

  it('is not approved by guessing all wrong numbers at the same time', async () => {
    const confirmation = await initiate(true)
    const guesses = Array.from({ length: 20 }, (_, index) => verify(confirmation, wrong(confirmation, index + 1)))
    const outcomes = await Promise.allSettled(guesses)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(await statusOf(confirmation)).toBe('rejected')
    expect((await test.storage.confirmations.byId(confirmation.id))?.wrongMatchNumbers).toBe(2)
  })

  it('checks the signature first, so that nobody without the key learns about the number', async () => {
    const confirmation = await initiate(true)
    const stranger = createTestDevice('ES256')
    for (const number of [confirmation.matchNumber ?? '', wrong(confirmation)]) {
      await expect(verify(confirmation, number, stranger)).rejects.toStrictEqual(new WrongConfirmationSignature())
    }
    const stored = await test.storage.confirmations.byId(confirmation.id)
    expect(stored).toMatchObject({ wrongSignatures: 2, wrongMatchNumbers: 0 })
  })

  it.each(['7', '007', 'ab', '', '٠٧', ' 7'])('refuses %j as malformed', async (matchNumber) => {
    const confirmation = await initiate(true)
    await expect(verify(confirmation, matchNumber)).rejects.toThrow('matchNumber: must be the two digits')
  })
})

describe('an approval without number matching', () => {
  it('succeeds without a number and with any number', async () => {
    const [one, other] = [await initiate(), await initiate()]
    await verify(one)
    await verify(other, '42')
    expect([await statusOf(one), await statusOf(other)]).toStrictEqual(['approved', 'approved'])
  })
})
