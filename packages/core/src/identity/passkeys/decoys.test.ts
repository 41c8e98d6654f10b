import type { Output } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../shared/random.ts'
import { digestKeyOf } from '../../testing/a-digest-key.ts'
import { createTestCountersign } from '../../testing/create-test-countersign.ts'
import { type RegisterTestPasskey, registerTestPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createTestUser } from '../../testing/sign-in.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import { type CredentialCounts, PROFILE_PERIOD } from '../decoys/decoy-profile.ts'
import { type DecoySource, decoysOf } from './decoys.ts'

const emails = Array.from({ length: 400 }, (_, index) => `user-${index}@example.test`)
const aKey = () => systemRandom.bytes(32)
const source: DecoySource = { key: aKey(), profiles: [], now: 0, most: 20 }

const listsOf = (of: Partial<DecoySource> = {}) => emails.map((email) => decoysOf({ ...source, ...of }, email))
const looksOf = (lists: ReturnType<typeof listsOf>) => [
  ...new Set(lists.flat().map((one) => `${Buffer.from(one.id, 'base64url').length} ${one.transports.join()} ${one.algorithm}`)),
]
const atLeast = (lists: ReturnType<typeof listsOf>, many: number) => lists.filter(({ length }) => length >= many).length

/** An installation of a thousand users. */
const counts: CredentialCounts = {
  passkeysPerUser: [
    { passkeys: 1, users: 500 },
    { passkeys: 2, users: 250 },
    { passkeys: 3, users: 150 },
    { passkeys: 5, users: 100 },
  ],
  passkeyForms: [
    { idBytes: 33, transports: ['ble'], algorithm: -7, users: 600 },
    { idBytes: 500, transports: [], algorithm: -257, users: 400 },
  ],
  deviceAlgorithms: [],
}
const profiles = [{ number: 1, takenAt: 0, counts }]
const inForce = { profiles, now: PROFILE_PERIOD }

describe('decoys', () => {
  it('are constant for one email, and differ between emails', () => {
    const all = listsOf()
    expect(listsOf()).toStrictEqual(all)
    const ids = all.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(listsOf({ key: aKey() })).not.toStrictEqual(all)
  })

  it('look like common passkeys where the installation has no users: mostly one, sometimes three or more', () => {
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

  it('imitate the number and the forms of the passkeys of the installation', () => {
    const all = listsOf(inForce)
    expect(looksOf(all).sort()).toStrictEqual(['33 ble -7', '500  -257'])
    const shareAtLeast = (many: number) => atLeast(all, many) / all.length
    expect(Math.abs(shareAtLeast(2) - 0.5)).toBeLessThan(0.1)
    expect(Math.abs(shareAtLeast(3) - 0.25)).toBeLessThan(0.1)
    expect(Math.abs(shareAtLeast(5) - 0.1)).toBeLessThan(0.06)
    const [short, long] = [33, 500].map((bytes) => all.flat().filter(({ id }) => Buffer.from(id, 'base64url').length === bytes))
    expect(Math.abs((short?.length ?? 0) / ((short?.length ?? 0) + (long?.length ?? 0)) - 0.6)).toBeLessThan(0.1)
  })

  it('never exceed the maximum number of passkeys', () => {
    expect(atLeast(listsOf({ ...inForce, most: 2 }), 3)).toBe(0)
  })

  it('change to a new profile one by one, over one period', () => {
    const before = listsOf()
    const changedAt = (now: number) =>
      listsOf({ profiles, now }).filter((list, index) => list !== before[index] && list[0]?.id !== before[index]?.[0]?.id).length
    const changed = [0, 0.25, 0.5, 0.75, 1].map((part) => changedAt(part * PROFILE_PERIOD))
    expect(changed[0]).toBeLessThan(5)
    for (const [index, part] of [0, 0.25, 0.5, 0.75, 1].entries()) {
      expect(Math.abs((changed[index] ?? 0) / 400 - part)).toBeLessThan(0.1)
    }
  })

  it('change little where the profile changes little', () => {
    const [first = counts.passkeyForms[0], ...others] = counts.passkeyForms
    const slightly = { ...counts, passkeyForms: [...(first ? [{ ...first, users: 650 }] : []), ...others] }
    const now = 2 * PROFILE_PERIOD
    const before = listsOf({ profiles, now })
    const after = listsOf({ profiles: [{ number: 2, takenAt: PROFILE_PERIOD, counts: slightly }, ...profiles], now })
    const changed = after.filter((list, index) => JSON.stringify(list) !== JSON.stringify(before[index])).length
    expect(changed).toBeGreaterThan(0)
    expect(changed).toBeLessThan(40)
  })

  it('are shown for an email that is unknown, disabled or without passkeys, in any spelling', async () => {
    const test = createTestCountersign()
    const without = await createTestUser(test)
    const disabled = await signInNewPasskeyUser(test)
    await test.countersign.users.disable({ email: disabled.user.email })
    for (const email of ['unknown@example.test', without.email, disabled.user.email]) {
      const decoys = decoysOf({ ...source, key: await digestKeyOf(test)('passkeys/decoys'), now: test.clock.now() }, email)
      for (const spelling of [email, email.toUpperCase(), email]) {
        const { publicKey } = await test.countersign.passkeys.beginLogin({ email: spelling })
        expect(publicKey.allowCredentials.map(({ id }) => id)).toStrictEqual(decoys.map(({ id }) => id))
      }
    }
  })
})

describe('the decoys of an installation', () => {
  const listed = async (test: ReturnType<typeof createTestCountersign>) => {
    const lists: Output<'passkeys.beginLogin'>['publicKey']['allowCredentials'][] = []
    for (const email of emails.slice(0, 100)) {
      lists.push((await test.countersign.passkeys.beginLogin({ email })).publicKey.allowCredentials)
    }
    return lists
  }
  const register = async (test: ReturnType<typeof createTestCountersign>, bytes: number, users: number) => {
    const withId = (): RegisterTestPasskey => ({
      virtual: createVirtualPasskey({ credentialId: crypto.getRandomValues(new Uint8Array(bytes)), transports: ['ble'] }),
    })
    for (let user = 0; user < users; user += 1) {
      const { caller } = await signInNewPasskeyUser(test, withId())
      for (let more = 1; more < 3; more += 1) await registerTestPasskey(test, caller, withId())
    }
  }
  const lengthsOf = (lists: Awaited<ReturnType<typeof listed>>) =>
    new Set(lists.flat().map(({ id }) => Buffer.from(id, 'base64url').length))

  it('follow its users within eight days, and stay the same until then', async () => {
    const test = createTestCountersign()
    await test.countersign.sweep()
    const before = await listed(test)
    await register(test, 30, 30)
    test.clock.advance(PROFILE_PERIOD - 1)
    await test.countersign.sweep()
    expect(await listed(test)).toStrictEqual(before)
    test.clock.advance(1)
    await test.countersign.sweep()
    test.clock.advance(PROFILE_PERIOD)
    const after = await listed(test)
    expect(lengthsOf(after)).toStrictEqual(new Set([30]))
    expect(after.filter(({ length }) => length >= 3).length).toBeGreaterThan(70)
    await test.countersign.sweep()
    expect(await listed(test)).toStrictEqual(after)
  })

  it('never imitate a form that only one or two users have', async () => {
    const test = createTestCountersign()
    await register(test, 40, 2)
    await test.countersign.sweep()
    test.clock.advance(PROFILE_PERIOD)
    expect(lengthsOf(await listed(test))).not.toContain(40)
  })

  it('are not shown where the host lists no passkeys', async () => {
    const test = createTestCountersign({ options: { passkeyLists: 'off' } })
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
