import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { systemRandom } from '../../shared/random.ts'
import { digestKeyOf } from '../../testing/a-digest-key.ts'
import { signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createTestUser } from '../../testing/sign-in.ts'
import { decoysOf } from './decoys.ts'

const emails = Array.from({ length: 400 }, (_, index) => `user-${index}@example.test`)
const aKey = () => systemRandom.bytes(32)
const source = { key: aKey(), most: 20 }

const listsOf = (of: Partial<typeof source> = {}) => emails.map((email) => decoysOf({ ...source, ...of }, email))
const looksOf = (lists: ReturnType<typeof listsOf>) => [
  ...new Set(lists.flat().map((one) => `${Buffer.from(one.id, 'base64url').length} ${one.transports.join()} ${one.algorithm}`)),
]
const atLeast = (lists: ReturnType<typeof listsOf>, many: number) => lists.filter(({ length }) => length >= many).length

describe('decoys', () => {
  it('are constant for one email, and differ between emails', () => {
    const all = listsOf()
    expect(listsOf()).toStrictEqual(all)
    const ids = all.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(listsOf({ key: aKey() })).not.toStrictEqual(all)
  })

  it('look like common passkeys: mostly one, sometimes three or more', () => {
    const all = listsOf()
    expect(atLeast(all, 1)).toBe(400)
    expect(atLeast(all, 2)).toBeGreaterThan(60)
    expect(atLeast(all, 2)).toBeLessThan(150)
    expect(atLeast(all, 3)).toBeGreaterThan(8)
    expect(looksOf(all).sort()).toStrictEqual(
      [
        '16 hybrid,internal -7',
        '20 hybrid,internal -7',
        '32 internal -257',
        '32 internal -7',
        '48 nfc,usb -7',
        '64 usb -7',
      ].sort(),
    )
  })

  it('never exceed the maximum number of passkeys', () => {
    expect(atLeast(listsOf({ most: 2 }), 3)).toBe(0)
    expect(atLeast(listsOf({ most: 1 }), 2)).toBe(0)
  })

  it('are shown for an email that is unknown, disabled or without passkeys, in any spelling', async () => {
    const test = await createTestCountersign()
    const without = await createTestUser(test)
    const disabled = await signInNewPasskeyUser(test)
    await test.countersign.users.disable({ email: disabled.user.email })
    for (const email of ['unknown@example.test', without.email, disabled.user.email]) {
      const decoys = decoysOf({ ...source, key: await digestKeyOf(test)('passkeys/decoys') }, email)
      for (const spelling of [email, email.toUpperCase(), email]) {
        const { publicKey } = await test.countersign.passkeys.beginLogin({ email: spelling })
        expect(publicKey.allowCredentials.map(({ id }) => id)).toStrictEqual(decoys.map(({ id }) => id))
      }
    }
  })

  it('stay the same whatever the users of the installation register', async () => {
    const test = await createTestCountersign()
    const listed = () => Promise.all(emails.slice(0, 20).map(async (email) => test.countersign.passkeys.beginLogin({ email })))
    const listsOf = async () => (await listed()).map(({ publicKey }) => publicKey.allowCredentials)
    const before = await listsOf()
    for (let user = 0; user < 5; user += 1) await signInNewPasskeyUser(test)
    test.clock.advance(days(30))
    await test.countersign.sweep()
    expect(await listsOf()).toStrictEqual(before)
  })

  it('are not shown if the host lists no passkeys', async () => {
    const test = await createTestCountersign({ options: { passkeyLists: false } })
    const { user, virtual, caller } = await signInNewPasskeyUser(test)
    for (const email of [user.email, 'unknown@example.test']) {
      expect((await test.countersign.passkeys.beginLogin({ email })).publicKey.allowCredentials).toStrictEqual([])
    }
    const { challengeId, publicKey } = await test.countersign.passkeys.beginLogin({ email: user.email })
    await test.countersign.passkeys.finishLogin({ challengeId, credential: virtual.get(publicKey) })
    const other = await test.countersign.passkeys.beginLogin({ email: 'unknown@example.test' })
    const credential = virtual.get(other.publicKey)
    await expect(test.countersign.passkeys.finishLogin({ challengeId: other.challengeId, credential })).rejects.toThrow(
      'Invalid passkey',
    )
    const begun = await test.countersign.passkeys.beginRegistration({
      caller,
      authenticatorSelection: { residentKey: 'discouraged' },
    })
    expect(begun.publicKey.authenticatorSelection).toMatchObject({ residentKey: 'required', requireResidentKey: true })
  })
})
