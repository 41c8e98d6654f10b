import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { days, hours, minutes } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import {
  createTestUser,
  type RegisteredDevice,
  type RegisterTestDevice,
  registerTestDevice,
  signIn,
  signInByDevice,
} from '../../testing/sign-in.ts'
import { type Caller, InsufficientTrustLevel } from '../authentication/caller.ts'
import type { CodeDelivery } from '../one-time-codes/code-delivery.ts'
import { type Enrolment, enrolments } from '../options.ts'
import type { UserProfile } from '../records/user.ts'

let test: TestCountersign
let mailbox: CodeDelivery[]
let user: UserProfile
let password: string

const given = async (options: Parameters<typeof createTestCountersign>[0] = {}) => {
  mailbox = []
  test = await createTestCountersign({ ...options, deliverCode: (delivery) => void mailbox.push(delivery) })
  user = await createTestUser(test)
}
beforeEach(() => given())

const callerOf = async ({ accessToken }: { readonly accessToken: string }) =>
  test.countersign.auth.authenticate({ token: accessToken })

/** Asks for a code, reads it in the mailbox, and sets a password of one's own. Returns the session. */
const resetByMailbox = async (): Promise<Caller> => {
  await test.countersign.password.forgot({ email: user.email })
  await test.background.drain()
  password = `a password of the mailbox ${mailbox.length}`
  const code = mailbox.at(-1)?.code ?? ''
  const tokens = await test.countersign.password.setWithCode({ code, newPassword: password, signIn: true })
  if (tokens === undefined) throw new Error('no session was opened')
  return callerOf(tokens)
}

const login = async () => callerOf(await test.countersign.auth.login({ email: user.email, password }))

const phoneOf = (caller: Caller, options: RegisterTestDevice = {}) => registerTestDevice(test, caller, options)

/** Checks that the phone of a thief cannot list, approve or vouch. */
const expectNothingApproved = async (phone: RegisteredDevice) => {
  const { caller } = await signInByDevice(test, phone)
  expect(caller.trustLevel).toBe('standard')
  await expect(test.countersign.confirmations.pending({ caller })).rejects.toThrow(InsufficientTrustLevel)
  await expect(test.countersign.account.lock({ caller })).rejects.toThrow(InsufficientTrustLevel)
}

/** Approves, with a trusted phone, the vouching for a new one. */
const approveVouching = async (caller: Caller, phone: RegisteredDevice, added: RegisteredDevice) => {
  const { confirmationId = '', matchNumber } = added.device.vouching ?? {}
  const [waiting] = await test.countersign.confirmations.pending({ caller })
  const signedChallenge = phone.signer.sign(waiting?.challenge ?? '')
  const { id: deviceId } = phone.device
  await test.countersign.confirmations.approve({
    caller,
    confirmationId,
    deviceId,
    signedChallenge,
    matchNumber: matchNumber ?? '',
  })
}

const trustedPhones = async () =>
  (await test.countersign.devices.listOfUser({ email: user.email })).filter(({ trusted }) => trusted).map(({ id }) => id)

describe('a thief who reads the mailbox of a person with a trusted phone, and nothing else', () => {
  const theft: readonly (readonly [string, (session: Caller, phone: RegisteredDevice) => Promise<unknown>])[] = [
    ['at once', async () => undefined],
    ['after 13 hours', async () => test.clock.advance(hours(13))],
    ['after 8 days', async () => test.clock.advance(days(8))],
    [
      'after 8 days and a change of the password',
      async () => {
        test.clock.advance(days(8))
        const next = 'one more password of the thief'
        await test.countersign.password.change({ caller: await login(), currentPassword: password, newPassword: next })
        password = next
      },
    ],
    [
      'after a change of the password, and 8 days',
      async (session) => {
        const next = 'one more password of the thief'
        await test.countersign.password.change({ caller: session, currentPassword: password, newPassword: next })
        password = next
        test.clock.advance(days(8))
      },
    ],
    [
      'after the removal of the phone',
      async (session, phone) => test.countersign.devices.remove({ caller: session, deviceId: phone.device.id }),
    ],
    [
      'after the removal of the phone, and 8 days',
      async (session, phone) => {
        await test.countersign.devices.remove({ caller: session, deviceId: phone.device.id })
        test.clock.advance(days(8))
      },
    ],
    [
      'after the removal of the phone, 8 days, another code and 8 days',
      async (session, phone) => {
        await test.countersign.devices.remove({ caller: session, deviceId: phone.device.id })
        test.clock.advance(days(8))
        await resetByMailbox()
        test.clock.advance(days(8))
      },
    ],
    ['after the owner used the phone', async (_, phone) => signInByDevice(test, phone)],
  ]

  describe.each(enrolments)('under the enrolment `%s`', (enrolment: Enrolment) => {
    it.each(theft)('gets no trusted phone %s, in a new session and in an old one', async (_, act) => {
      await given({ options: { enrolment } })
      const phone = await phoneOf((await signIn(test, user)).caller)
      expect(phone.device.trusted).toBe(true)
      test.clock.advance(days(2))
      const session = await resetByMailbox()
      const first = await phoneOf(session)
      expect(first.device.trustedAt).toBeNull()
      await act(session, phone)
      const second = await phoneOf(await login())
      expect(second.device.trustedAt).toBeNull()
      test.clock.advance(minutes(11))
      const old = await login()
      test.clock.advance(minutes(11))
      const third = await phoneOf(old)
      expect(third.device.trustedAt).toBeNull()
      test.clock.advance(days(30))
      expect((await trustedPhones()).filter((id) => id !== phone.device.id)).toStrictEqual([])
      for (const stolen of [second, third]) await expectNothingApproved(stolen)
    })
  })

  it('gets no trusted passkey either, and a passkey on probation vouches for nothing', async () => {
    await given({ options: { passkeyApprovals: true } })
    await phoneOf((await signIn(test, user)).caller)
    const { passkey, virtual } = await registerTestPasskey(test, await resetByMailbox())
    expect(passkey.trustedAt).toBeNull()
    test.clock.advance(days(8))
    const { caller } = await signInByPasskey(test, virtual)
    expect((await phoneOf(caller)).device.trustedAt).toBeNull()
  })

  it('approves nothing that waits for the owner', async () => {
    const owner = await signIn(test, user)
    await phoneOf(owner.caller)
    await initiatePayment(test, owner.caller)
    await expectNothingApproved(await phoneOf(await resetByMailbox()))
  })

  it.each([
    ['passkeys approve', true],
    ['passkeys do not approve', false],
  ])('gets no trusted phone from a person who only has a passkey, where %s', async (_, passkeyApprovals) => {
    await given({ options: { passkeyApprovals } })
    await registerTestPasskey(test, (await signIn(test, user)).caller)
    const phone = await phoneOf(await resetByMailbox())
    test.clock.advance(days(8))
    await expectNothingApproved(phone)
    expect((await phoneOf(await login())).device.trustedAt).toBeNull()
  })

  it.each([6, 8])('whose phone was removed %s days before', async (before) => {
    const { caller } = await signIn(test, user)
    const phone = await phoneOf(caller)
    await test.countersign.devices.remove({ caller, deviceId: phone.device.id })
    test.clock.advance(days(before))
    const session = await resetByMailbox()
    const expected = before < 7 ? null : test.clock.now() + days(7)
    expect((await phoneOf(session)).device.trustedAt).toBe(expected)
  })

  it('loses what is on probation as soon as another code of the mailbox is used', async () => {
    const session = await resetByMailbox()
    const stolen = await phoneOf(session)
    test.clock.advance(days(6))
    await resetByMailbox()
    await expect(signInByDevice(test, stolen)).rejects.toThrow('Invalid biometric token')
  })
})

describe('the mark of a forgotten password', () => {
  it('ends when the trusted phone vouches for the new one, so that the owner goes on as before', async () => {
    const phone = await phoneOf((await signIn(test, user)).caller)
    const added = await phoneOf(await resetByMailbox())
    const { caller } = await signInByDevice(test, phone)
    await approveVouching(caller, phone, added)
    expect(await trustedPhones()).toHaveLength(2)
    expect((await phoneOf(await login())).device.trusted).toBe(true)
  })

  const ends: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'an enrolment code of an administrator',
      async () => {
        const { code: enrolmentCode } = await test.countersign.users.enrol({ email: user.email })
        expect((await phoneOf(await login(), { enrolmentCode })).device.trusted).toBe(true)
      },
    ],
    [
      'a reset by an administrator',
      async () => {
        const { code } = await test.countersign.users.resetPassword({ email: user.email })
        password = 'the password of the reset'
        await test.countersign.password.setWithCode({ code, newPassword: password })
      },
    ],
    ['`device trust`', async () => test.countersign.devices.trust({ id: (await phoneOf(await login())).device.id })],
    [
      '`passkey trust`',
      async () => {
        const { passkey } = await registerTestPasskey(test, await login())
        await test.countersign.passkeys.trust({ id: passkey.id, email: user.email })
      },
    ],
  ]

  it.each(ends)('ends with %s', async (_, act) => {
    await phoneOf((await signIn(test, user)).caller)
    await resetByMailbox()
    await act()
    expect((await phoneOf(await login())).device.trusted).toBe(true)
  })

  it('stays if an administrator sets a password, and if the account is locked and unlocked', async () => {
    await phoneOf((await signIn(test, user)).caller)
    await resetByMailbox()
    password = 'a password of the administrator'
    await test.countersign.users.setPassword({ email: user.email, password })
    expect((await phoneOf(await login())).device.trusted).toBe(false)
    await test.countersign.users.lock({ email: user.email })
    await test.countersign.users.unlock({ email: user.email })
    expect((await phoneOf(await login())).device.trusted).toBe(false)
  })

  it('is shown by `me`: a session by password does not enrol at once', async () => {
    await phoneOf((await signIn(test, user)).caller)
    const caller = await resetByMailbox()
    expect((await test.countersign.account.me({ caller })).can.enrol).toBe(false)
  })
})

describe('a person who never had a phone or a passkey, and forgot the password', () => {
  it.each(enrolments)('has a phone that is trusted when the mark ends, under the enrolment `%s`', async (enrolment) => {
    await given({ options: { enrolment } })
    const phone = await phoneOf(await resetByMailbox())
    expect(phone.device.trustedAt).toBe(test.clock.now() + days(7))
    test.clock.advance(days(7))
    expect((await signInByDevice(test, phone)).caller.trustLevel).toBe('high')
  })

  it('waits for the cooling-off if it ends after the mark', async () => {
    const session = await resetByMailbox()
    test.clock.advance(days(7) - hours(1))
    expect((await phoneOf(session)).device.trustedAt).toBe(test.clock.now() + hours(12))
  })

  it('waits for a code of an administrator if the host demands it', async () => {
    await given({ options: { forgotEnrolment: 'code' } })
    const phone = await phoneOf(await resetByMailbox())
    expect(phone.device.trustedAt).toBeNull()
    const { code: enrolmentCode } = await test.countersign.users.enrol({ email: user.email })
    expect((await phoneOf(await login(), { enrolmentCode })).device.trusted).toBe(true)
  })

  it('enrols at once again after the mark', async () => {
    await resetByMailbox()
    test.clock.advance(days(7))
    expect((await phoneOf(await login())).device.trusted).toBe(true)
  })

  it('is told, by the host, that the password was set and that a phone was added', async () => {
    const told: string[] = []
    await given({ onNotice: ({ change, hasTrustedDevice }) => void told.push(`${change} ${hasTrustedDevice}`) })
    await phoneOf(await resetByMailbox())
    await test.background.drain()
    expect(told).toStrictEqual(['password_changed false', 'device_registered false'])
  })
})
