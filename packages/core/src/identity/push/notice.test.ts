import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { minutes } from '../../shared/clock.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { registerTestDevice, type SignedIn, signInNewUser } from '../../testing/sign-in.ts'
import type { Notice } from './notify-of-change.ts'

let test: TestCountersign
let user: SignedIn
let notices: Notice[]
beforeEach(async () => {
  notices = []
  test = await createTestCountersign({ onNotice: (notice) => void notices.push(notice) })
  user = await signInNewUser(test)
})

const told = async () => {
  await test.background.drain()
  return notices.map(({ change, hasTrustedDevice }) => [change, hasTrustedDevice])
}

describe('the host gets a notice', () => {
  it('about a registration by an old session of a user without a trusted device, after the response', async () => {
    test.clock.advance(minutes(11))
    await registerTestDevice(test, user.caller)
    expect(notices).toStrictEqual([])
    await test.background.drain()
    expect(notices).toStrictEqual([
      {
        userId: user.user.id,
        email: user.user.email,
        change: 'device_registered',
        occurredAt: test.clock.now(),
        hasTrustedDevice: false,
      },
    ])
  })

  it('about a new trusted device, as about a device of a user who has no other', async () => {
    await registerTestDevice(test, user.caller)
    expect(await told()).toStrictEqual([['device_registered', false]])
    await registerTestPasskey(test, user.caller)
    await registerTestDevice(test, user.caller)
    expect((await told()).slice(1)).toStrictEqual([
      ['passkey_registered', true],
      ['device_registered', true],
    ])
  })

  it('about the devices that a new password removed', async () => {
    test.clock.advance(minutes(11))
    await registerTestDevice(test, user.caller)
    await registerTestPasskey(test, user.caller)
    await told()
    await test.countersign.users.setPassword({ email: user.user.email, password: 'another correct horse battery' })
    expect((await told()).slice(2)).toStrictEqual([
      ['password_changed', false],
      ['device_removed', false],
      ['passkey_removed', false],
    ])
  })

  it('not about a refused change, nor about a user who was deleted meanwhile', async () => {
    const { caller } = user
    const deviceId = '00000000-0000-4000-8000-000000000000'
    await expect(test.countersign.devices.remove({ caller, deviceId })).rejects.toThrow('Device not found')
    await registerTestDevice(test, caller)
    await test.countersign.users.delete({ email: user.user.email })
    expect(await told()).toStrictEqual([])
  })
})

describe('a host that fails', () => {
  it.each([
    [
      'throws',
      () => {
        throw new TypeError(user.user.email)
      },
    ],
    ['rejects', () => Promise.reject(new TypeError(user.user.email))],
  ] as const)('%s, makes no request fail, and is logged without the email', async (_, onNotice) => {
    test = await createTestCountersign({ onNotice })
    user = await signInNewUser(test)
    await registerTestDevice(test, user.caller)
    await test.background.drain()
    expect(test.logger.entries).toStrictEqual([
      {
        level: 'warn',
        event: 'notice_failed',
        fields: { userId: user.user.id, change: 'device_registered', reason: 'TypeError' },
      },
    ])
    expect(await test.countersign.devices.list({ caller: user.caller })).toHaveLength(1)
  })
})
