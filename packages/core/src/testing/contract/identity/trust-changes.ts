import { describe, expect, it } from 'vitest'
import type { Bound } from '../../../identity/records/bound.ts'
import type { FullStorage } from '../../../storage.ts'
import { uuid } from '../../builders/shared.ts'
import { aDevice, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenDevice, givenPasskey, givenSession, givenUser, givenUserInSession } from '../given.ts'

const later = clockStart + 1234

/** Tests read the status of a session before and after a change of trust, so that a stale cache fails the test. */
export const trustChangesContract = (storage: () => FullStorage): void => {
  describe('making a device or passkey trusted', () => {
    const givenBoth = async (trustedAt: number | null) => {
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id, trustedAt })
      const passkey = await givenPasskey(storage(), { userId: user.id, trustedAt })
      const readDevice = () => storage().devices.ofUser(user.id, device.id)
      const readPasskey = async () => (await storage().passkeys.allOfUser(user.id)).find(({ id }) => id === passkey.id)
      return { user, device, passkey, readDevice, readPasskey }
    }

    it('sets the time from which it is trusted, which the status of its sessions then has', async () => {
      const { sessions, trust } = storage()
      const { user, device, passkey, readDevice, readPasskey } = await givenBoth(null)
      const biometric = { kind: 'biometric', authMethod: 'biometric', deviceId: device.id } as const
      const ofDevice = await givenSession(storage(), { userId: user.id, ...biometric })
      const ofPasskey = await givenSession(storage(), { userId: user.id, authMethod: 'webauthn', passkeyId: passkey.id })
      for (const { id } of [ofDevice, ofPasskey]) expect(await sessions.status(id)).toMatchObject({ trustedAt: null })
      expect(await trust.makeTrusted({ userId: user.id, kind: 'device', id: device.id }, later)).toBe(true)
      expect(await sessions.status(ofDevice.id)).toMatchObject({ trustedAt: later })
      expect(await sessions.status(ofPasskey.id)).toMatchObject({ trustedAt: null })
      expect(await trust.makeTrusted({ userId: user.id, kind: 'passkey', id: passkey.id }, later + 1)).toBe(true)
      expect(await sessions.status(ofPasskey.id)).toMatchObject({ trustedAt: later + 1 })
      expect(await readDevice()).toStrictEqual({ ...device, trustedAt: later })
      expect(await readPasskey()).toStrictEqual({ ...passkey, trustedAt: later + 1 })
    })

    it('succeeds for exactly one of concurrent calls, and not for a trusted device or passkey', async () => {
      const { trust } = storage()
      const { user, device, passkey, readDevice } = await givenBoth(null)
      expect(
        tally(await atOnce(20, () => trust.makeTrusted({ userId: user.id, kind: 'device', id: device.id }, later)), true),
      ).toBe(1)
      expect(
        tally(await atOnce(20, () => trust.makeTrusted({ userId: user.id, kind: 'passkey', id: passkey.id }, later)), true),
      ).toBe(1)
      expect(await trust.makeTrusted({ userId: user.id, kind: 'device', id: device.id }, later + 1)).toBe(false)
      expect(await trust.makeTrusted({ userId: user.id, kind: 'passkey', id: passkey.id }, later + 1)).toBe(false)
      expect(await readDevice()).toMatchObject({ trustedAt: later })
    })

    it('counts the trusted devices exactly, so that exactly one of concurrent first registrations is trusted', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const enrol = () =>
        storage().transaction(async (tx) => {
          const facts = await tx.trust.enrolmentFacts({ userId: user.id, sessionId, rememberedSince: clockStart, now: later })
          const device = aDevice({
            userId: user.id,
            createdAt: later,
            trustedAt: facts?.hasTrustedDevice === true ? null : later,
          })
          await tx.devices.register(device, sessionId, 20)
        })
      await Promise.all([enrol(), enrol(), enrol(), enrol()])
      const trusted = (await storage().devices.allOfUser(user.id)).map((device) => device.trustedAt)
      expect(trusted.filter((trustedAt) => trustedAt === later)).toHaveLength(1)
      expect(trusted.filter((trustedAt) => trustedAt === null)).toHaveLength(3)
    })

    it('says whether the user has a password and trusted passkeys, also after a trusted passkey was removed', async () => {
      const { passkeys, trust } = storage()
      const factsOf = async (userId: number, sessionId: string, now: number, rememberedSince = clockStart) => {
        const facts = await trust.enrolmentFacts({ userId, sessionId, rememberedSince, now })
        return [facts?.hasPassword, facts?.hasTrustedPasskey, facts?.hasTrustedDevice]
      }
      const { user, sessionId } = await givenUserInSession(storage())
      expect(await factsOf(user.id, sessionId, later)).toStrictEqual([false, false, false])
      const onProbation = await givenPasskey(storage(), { userId: user.id, trustedAt: null })
      const passkey = await givenPasskey(storage(), { userId: user.id, trustedAt: later })
      expect(await factsOf(user.id, sessionId, later - 1)).toStrictEqual([false, false, false])
      expect(await factsOf(user.id, sessionId, later)).toStrictEqual([false, true, false])
      await passkeys.remove(user.id, passkey.id, later + 5)
      expect(await factsOf(user.id, sessionId, later + 9, later + 5)).toStrictEqual([false, true, false])
      expect(await factsOf(user.id, sessionId, later + 9, later + 6)).toStrictEqual([false, false, false])
      await passkeys.remove(user.id, onProbation.id, later + 7)
      expect(await factsOf(user.id, sessionId, later + 9, later + 6)).toStrictEqual([false, false, false])
      const other = await givenUser(storage(), { passwordHash: 'a hash' })
      const session = await givenSession(storage(), { userId: other.id })
      expect(await factsOf(other.id, session.id, later)).toStrictEqual([true, false, false])
    })

    it('and a removal at the same time have exactly one winner', async () => {
      const { devices, trust } = storage()
      for (let round = 0; round < 5; round += 1) {
        const { user, device, readDevice } = await givenBoth(null)
        await Promise.all([
          trust.makeTrusted({ userId: user.id, kind: 'device', id: device.id }, later),
          devices.remove(user.id, device.id, later),
        ])
        expect(await readDevice()).toBeUndefined()
        expect(await trust.makeTrusted({ userId: user.id, kind: 'device', id: device.id }, later)).toBe(false)
      }
    })
  })

  describe('removing the devices and passkeys on probation', () => {
    it('keeps trusted devices and passkeys, and those of other users', async () => {
      const { trust, devices, passkeys } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const other = await givenDevice(storage(), { userId: (await givenUser(storage())).id, trustedAt: null })
      const userId = user.id
      const trusted = await givenDevice(storage(), { userId, trustedAt: later })
      const trustedPasskey = await givenPasskey(storage(), { userId, trustedAt: later })
      const onProbation = await Promise.all(
        [null, later + 1].map((trustedAt) => givenDevice(storage(), { userId, trustedAt, pushToken: aSealedField() })),
      )
      const passkey = await givenPasskey(storage(), { userId, trustedAt: null })
      const removed = await trust.removeOnProbation(userId, later)
      expect([...removed.devices].sort()).toStrictEqual(onProbation.map(({ id }) => id).sort())
      expect(removed.passkeys).toStrictEqual([passkey.id])
      expect(await devices.allOfUser(userId)).toStrictEqual([trusted])
      expect(await passkeys.allOfUser(userId)).toStrictEqual([trustedPasskey])
      expect(await devices.ofUser(other.userId, other.id)).toStrictEqual(other)
      expect(await trust.removeOnProbation(userId, later)).toStrictEqual({ devices: [], passkeys: [] })
      const facts = await trust.enrolmentFacts({ userId, sessionId, rememberedSince: clockStart, now: later - 1 })
      expect(facts?.hasTrustedDevice).toBe(false)
    })
  })

  describe('the mailbox mark of an account', () => {
    const since = clockStart + 5
    const given = async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const userId = user.id
      const mark = (now = later, rememberedSince = since) => storage().trust.markMailbox({ userId, rememberedSince, now })
      const read = async () =>
        (await storage().trust.enrolmentFacts({ userId, sessionId, rememberedSince: since, now: later }))?.mailboxMark
      return { userId, sessionId, mark, read }
    }

    it('is missing at first, has the time of the last marking, and can be ended', async () => {
      const { userId, mark, read } = await given()
      const { trust } = storage()
      expect([await read(), await trust.mailboxMarkOf(userId)]).toStrictEqual([null, null])
      await mark()
      await mark(later + 1)
      const marked = { since: later + 1, hadSigner: false }
      expect([await read(), await trust.mailboxMarkOf(userId)]).toStrictEqual([marked, marked])
      await trust.endMailboxMark(userId)
      expect([await read(), await trust.mailboxMarkOf(userId)]).toStrictEqual([null, null])
    })

    type Prepare = (userId: number) => Promise<unknown>
    const device =
      (trustedAt: number | null, tenants: Bound = null): Prepare =>
      (userId) =>
        givenDevice(storage(), { userId, trustedAt, tenants })
    const passkey =
      (trustedAt: number | null, tenants: Bound = null): Prepare =>
      (userId) =>
        givenPasskey(storage(), { userId, trustedAt, tenants })
    const removed =
      (kind: 'device' | 'passkey', at: number, trustedAt: number, tenants: Bound = null): Prepare =>
      async (userId) => {
        if (kind === 'device') {
          const { id } = await givenDevice(storage(), { userId, trustedAt, tenants })
          await storage().devices.remove(userId, id, at)
        } else {
          const { id } = await givenPasskey(storage(), { userId, trustedAt, tenants })
          await storage().passkeys.remove(userId, id, at)
        }
      }

    it.each<[string, boolean, Prepare]>([
      ['a trusted device', true, device(later)],
      ['a trusted device that is bound', true, device(later, ['acme'])],
      ['a device in its cooling-off period', false, device(later + 1)],
      ['a device on probation', false, device(null)],
      ['a trusted passkey', true, passkey(later)],
      ['a trusted passkey that is bound', true, passkey(later, ['acme'])],
      ['a passkey on probation', false, passkey(null)],
      ['a trusted device that was removed lately', true, removed('device', since, since)],
      ['a trusted device that was removed long ago', false, removed('device', since - 1, since - 1)],
      ['a device that was removed on probation', false, removed('device', since, since + 1)],
      ['a trusted passkey that was removed lately', true, removed('passkey', since, since)],
      ['a bound passkey that was removed lately', true, removed('passkey', since, since, ['acme'])],
      ['a trusted passkey that was removed long ago', false, removed('passkey', since - 1, since - 1)],
      ['a passkey that was removed on probation', false, removed('passkey', since, since + 1)],
    ])('says for a user with %s whether they had a signer: %s', async (_, hadSigner, prepare) => {
      const { userId, mark, read } = await given()
      await prepare(userId)
      await prepare((await givenUser(storage())).id)
      await mark()
      expect(await read()).toStrictEqual({ since: later, hadSigner })
    })

    it('remembers a signer when the account is marked again after its removal, and until it ends', async () => {
      const { userId, mark, read } = await given()
      const { id } = await givenDevice(storage(), { userId, trustedAt: later })
      await mark()
      await storage().devices.remove(userId, id, later)
      await mark(later + 9, later + 9)
      expect(await read()).toStrictEqual({ since: later + 9, hadSigner: true })
      await storage().trust.endMailboxMark(userId)
      await mark(later + 9, later + 9)
      expect(await read()).toStrictEqual({ since: later + 9, hadSigner: false })
    })

    it('ends when a device or passkey that is not bound becomes trusted at once, and not while it cools off', async () => {
      const { trust, devices } = storage()
      const { userId, sessionId, mark, read } = await given()
      const onProbation = await givenDevice(storage(), { userId, trustedAt: null })
      await mark()
      const register = (trustedAt: number | null, tenants: Bound = null) =>
        devices.register(aDevice({ userId, createdAt: later, trustedAt, tenants }), sessionId, 20)
      for (const trustedAt of [null, later + 1]) await register(trustedAt)
      await register(later, ['acme'])
      expect(await read()).not.toBeNull()
      await register(later)
      expect(await read()).toBeNull()
      await mark()
      await trust.makeTrusted({ userId, kind: 'device', id: onProbation.id }, later)
      expect(await read()).toBeNull()
    })
  })

  describe('devices and passkeys together', () => {
    it('have one list of keys, which keeps the keys of removed devices and passkeys', async () => {
      const { devices, trust } = storage()
      const { id: userId } = await givenUser(storage())
      const [active, removed, foreign] = [uuid(), uuid(), uuid()]
      await givenDevice(storage(), { userId, publicKey: active })
      for (const _ of [1, 2]) {
        const { id } = await givenDevice(storage(), { userId, publicKey: removed })
        await devices.remove(userId, id, later)
      }
      await givenDevice(storage(), { userId: (await givenUser(storage())).id, publicKey: foreign })
      const [passkey, removedPasskey] = [await givenPasskey(storage(), { userId }), await givenPasskey(storage(), { userId })]
      await storage().passkeys.remove(userId, removedPasskey.id, later)
      const many = Array.from({ length: 2500 }, uuid)
      const own = [active, removed, passkey.spki, removedPasskey.spki]
      const held = await trust.keysHeld(userId, [active, foreign, passkey.spki, ...many, removed, removedPasskey.spki])
      expect(held.toSorted()).toStrictEqual(own.toSorted())
      expect(await trust.keysHeld(userId, [])).toStrictEqual([])
    })
  })
}
