import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { hours, minutes } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import {
  type RegisteredDevice,
  registerTestDevice,
  type SignedIn,
  signIn,
  signInByDevice,
  signInNewUser,
  testPassword,
} from '../../testing/sign-in.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'

const newPassword = 'another password, long enough'

/** The user has no trusted device. A thief has a session that is older than ten minutes, and registered a device in it. */
let test: TestCountersign
let thief: SignedIn
let stolen: RegisteredDevice
let email: string
beforeEach(async () => {
  test = await createTestCountersign()
  thief = await signInNewUser(test)
  email = thief.user.email
  test.clock.advance(minutes(11))
  stolen = await registerTestDevice(test, thief.caller)
})

const deviceIds = async () => (await test.countersign.devices.listOfUser({ email })).map(({ id }) => id)
const passkeyIds = async () => (await test.countersign.passkeys.listOfUser({ email })).map(({ id }) => id)
const owner = async () => (await signIn(test, thief.user)).caller
const changePassword = (caller: SignedIn['caller']) =>
  test.countersign.password.change({ caller, currentPassword: testPassword, newPassword })

describe('a device that an old session registered', () => {
  it('becomes trusted after the cooling-off if nobody reacts', async () => {
    test.clock.advance(hours(13))
    expect((await signInByDevice(test, stolen)).caller.trustLevel).toBe('high')
  })

  const recoveries: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'the redeeming of a reset',
      async () => {
        const { code } = await test.countersign.users.resetPassword({ email })
        await test.countersign.password.setWithCode({ code, newPassword })
      },
    ],
    [
      'the redeeming of an invitation',
      async () => {
        const { code } = await test.countersign.users.invite({ email })
        await test.countersign.password.setWithCode({ code, newPassword })
      },
    ],
    ['a password that an administrator sets', () => test.countersign.users.setPassword({ email, password: newPassword })],
    ['the disabling of the account', () => test.countersign.users.disable({ email })],
    ['a lock of the account', () => test.countersign.users.lock({ email })],
    ['a change of the password', async () => changePassword(await owner())],
    ['the end of all other sessions', async () => test.countersign.sessions.endOthers({ caller: await owner() })],
    [
      'the end of the session by its owner',
      async () => test.countersign.sessions.endOwn({ caller: await owner(), sessionId: thief.caller.sessionId }),
    ],
    ['the end of the session by an administrator', () => test.countersign.sessions.revoke({ id: thief.caller.sessionId })],
  ]

  it.each(recoveries)('is removed by %s, with its sessions, and so is a passkey', async (_, recover) => {
    const { virtual, passkey } = await registerTestPasskey(test, thief.caller)
    const byDevice = await signInByDevice(test, stolen)
    const byPasskey = await signInByPasskey(test, virtual)
    expect([await deviceIds(), await passkeyIds()]).toStrictEqual([[stolen.device.id], [passkey.id]])
    await recover()
    expect([await deviceIds(), await passkeyIds()]).toStrictEqual([[], []])
    for (const { tokens } of [byDevice, byPasskey]) {
      await expect(test.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow(InvalidAccessToken)
    }
    test.clock.advance(hours(13))
    await expect(signInByDevice(test, stolen)).rejects.toThrow('Invalid biometric token')
  })

  it.each(recoveries)(
    'is removed by %s, also if another device of the thief was registered by that device',
    async (_, recover) => {
      const { caller } = await signInByDevice(test, stolen)
      await registerTestDevice(test, caller)
      await registerTestPasskey(test, caller)
      await recover()
      expect([await deviceIds(), await passkeyIds()]).toStrictEqual([[], []])
    },
  )

  it.each([
    ['a change of the password', changePassword],
    ['the end of all other sessions', (caller: SignedIn['caller']) => test.countersign.sessions.endOthers({ caller })],
  ] as const)('stays after %s if its session had logged out before, but not after a password reset', async (_, recover) => {
    await test.countersign.auth.logout({ caller: thief.caller, refreshToken: thief.tokens.refreshToken })
    await recover(await owner())
    expect(await deviceIds()).toStrictEqual([stolen.device.id])
    const { code } = await test.countersign.users.resetPassword({ email })
    await test.countersign.password.setWithCode({ code, newPassword })
    expect(await deviceIds()).toStrictEqual([])
  })

  it('stays after a logout, and after an enrolment code made another device trusted', async () => {
    await test.countersign.auth.logout({ caller: thief.caller, refreshToken: thief.tokens.refreshToken })
    const { code } = await test.countersign.users.enrol({ email })
    const { device } = await registerTestDevice(test, await owner(), { enrolmentCode: code })
    expect(device).toMatchObject({ trusted: true })
    expect(new Set(await deviceIds())).toStrictEqual(new Set([stolen.device.id, device.id]))
  })

  it('is removed when the device that registered it is removed', async () => {
    const { caller } = await signInByDevice(test, stolen)
    await registerTestDevice(test, caller)
    await test.countersign.devices.remove({ caller: await owner(), deviceId: stolen.device.id })
    expect(await deviceIds()).toStrictEqual([])
  })

  it.each([
    ['device', false],
    ['device', true],
    ['passkey', false],
    ['passkey', true],
  ])(
    'is removed with a passkey when a trusted %s disowns the session that asked; logged out before: %s',
    async (kind, isOver) => {
      const { storage, clock, passwords } = test
      test = await createTestCountersign({ storage, clock, passwords, options: { passkeyApprovals: true } })
      const { passkey: stolenPasskey } = await registerTestPasskey(test, thief.caller)
      const signing = async () => {
        const { code: enrolmentCode } = await test.countersign.users.enrol({ email })
        if (kind === 'device') return signInByDevice(test, await registerTestDevice(test, await owner(), { enrolmentCode }))
        return signInByPasskey(test, (await registerTestPasskey(test, await owner(), { begin: { enrolmentCode } })).virtual)
      }
      const { caller } = await signing()
      const before = [await deviceIds(), await passkeyIds()]
      expect(before).toEqual([expect.arrayContaining([stolen.device.id]), expect.arrayContaining([stolenPasskey.id])])
      const { id: confirmationId } = await initiatePayment(test, thief.caller)
      const other = await initiatePayment(test, thief.caller)
      if (isOver) await test.countersign.auth.logout({ caller: thief.caller, refreshToken: thief.tokens.refreshToken })
      await test.countersign.confirmations.reject({ caller, confirmationId, notMe: true })
      const [devices = [], passkeys = []] = before
      expect(await deviceIds()).toStrictEqual(devices.filter((id) => id !== stolen.device.id))
      expect(await passkeyIds()).toStrictEqual(passkeys.filter((id) => id !== stolenPasskey.id))
      expect(await test.storage.confirmations.byId(other.id)).toMatchObject({ status: 'rejected' })
    },
  )
})

describe('the session that stays', () => {
  it('keeps devices on probation that it registered, and removes those that ended sessions registered', async () => {
    const caller = await owner()
    test.clock.advance(minutes(11))
    const added = await registerTestDevice(test, caller)
    await test.countersign.sessions.endOthers({ caller })
    expect(await deviceIds()).toStrictEqual([added.device.id])
    await changePassword(caller)
    expect(await deviceIds()).toStrictEqual([added.device.id])
  })

  it('keeps trusted devices and passkeys, whichever session registered them', async () => {
    const { caller } = await signIn(test, thief.user)
    const phone = await registerTestDevice(test, caller)
    const { passkey } = await registerTestPasskey(test, caller)
    await test.countersign.users.setPassword({ email, password: newPassword })
    expect(await deviceIds()).toStrictEqual([phone.device.id])
    expect(await passkeyIds()).toStrictEqual([passkey.id])
  })
})

describe('a user of a directory', () => {
  it.each(['passwordHash', 'disabled'] as const)('loses devices on probation with a new %s', async (changed) => {
    const directory = memoryDirectory()
    test = await createTestCountersign({ users: directory })
    const before = { email: 'ada@example.test', passwordHash: await test.passwords.hash(testPassword), disabled: false }
    const directoryId = await directory.add(before)
    const { accessToken } = await test.countersign.auth.login({ email: before.email, password: testPassword })
    const caller = await test.countersign.auth.authenticate({ token: accessToken })
    test.clock.advance(minutes(11))
    await registerTestDevice(test, caller)
    const hash = await test.passwords.hash(newPassword)
    await directory.change(directoryId, changed === 'disabled' ? { disabled: true } : { passwordHash: hash })
    await test.countersign.users.sync({ directoryId })
    expect(await test.storage.devices.allOfUser(caller.userId)).toStrictEqual([])
  })
})
