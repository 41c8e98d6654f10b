import { describe, expect, it } from 'vitest'
import type { UserQuery } from '../../../identity/records/user.ts'
import type { FullStorage } from '../../../storage.ts'
import { aNewUser } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenDevice, givenPasskey, givenUser } from '../given.ts'

const now = clockStart
const later = clockStart + 1234

export const usersContract = (storage: () => FullStorage): void => {
  describe('users', () => {
    it('are returned as they were created, enabled, by id and by email', async () => {
      const { users } = storage()
      const input = aNewUser({ passwordHash: '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA', permissions: ['*.*', 'project.read'] })
      const [user] = await users.create([input])
      expect(user).toStrictEqual({
        ...input,
        id: expect.any(Number),
        version: expect.any(Number),
        disabledAt: null,
        lockedAt: null,
        updatedAt: input.createdAt,
      })
      expect(await users.byId(user?.id ?? 0)).toStrictEqual(user)
      expect(await users.byEmail(input.email)).toStrictEqual(user)
    })

    it('are found by the exact directory id, and cannot share it', async () => {
      const { users } = storage()
      const directoryId = `Host-${aNewUser().email}`
      const user = await givenUser(storage(), { directoryId })
      expect(user.directoryId).toBe(directoryId)
      expect(await users.byDirectoryId(directoryId)).toStrictEqual(user)
      expect(await users.byDirectoryId(directoryId.toLowerCase())).toBeUndefined()
      expect(await users.byDirectoryId('')).toBeUndefined()
      expect(await users.create([aNewUser({ directoryId })])).toStrictEqual([])
    })

    it.each(['directoryId', 'email'] as const)('are created once by concurrent callers with the same %s', async (member) => {
      const { users } = storage()
      const { email: same } = aNewUser()
      const outcomes = await atOnce(50, () => users.create([aNewUser({ [member]: same })]))
      const created = outcomes.flat()
      expect(created).toHaveLength(1)
      expect(await users[member === 'email' ? 'byEmail' : 'byDirectoryId'](same)).toStrictEqual(created[0])
    })

    it('refuse a taken email without ending the surrounding transaction', async () => {
      const taken = await givenUser(storage())
      const other = aNewUser()
      await storage().transaction(async (tx) => {
        expect(await tx.users.create([aNewUser({ email: taken.email })])).toStrictEqual([])
        expect(await tx.users.create([other])).toHaveLength(1)
      })
      expect(await storage().users.byEmail(other.email)).toBeDefined()
    })

    it('are added together, and those that were added are returned', async () => {
      const { users } = storage()
      const given = [aNewUser({ passwordHash: '$2b$10$x' }), aNewUser({ permissions: ['project.read'] }), aNewUser()]
      const added = await users.create(given)
      expect(added.map(({ email }) => email).sort()).toStrictEqual(given.map(({ email }) => email).sort())
      for (const user of added) {
        const input = given.find(({ email }) => email === user.email)
        expect(user).toStrictEqual({ ...user, ...input, disabledAt: null, lockedAt: null, updatedAt: input?.createdAt })
        expect(await users.byId(user.id)).toStrictEqual(user)
      }
      expect(await users.create([])).toStrictEqual([])
    })

    it('are added, except for those whose email or directory id is taken', async () => {
      const { users } = storage()
      const directoryId = `host-${aNewUser().email}`
      const taken = await givenUser(storage(), { directoryId })
      const free = [aNewUser(), aNewUser()]
      const added = await users.create([
        aNewUser({ email: taken.email, name: 'Someone else' }),
        ...free,
        aNewUser({ directoryId }),
      ])
      expect(added.map(({ email }) => email).sort()).toStrictEqual(free.map(({ email }) => email).sort())
      expect(await users.byEmail(taken.email)).toStrictEqual(taken)
    })

    it('are added once by concurrent callers with the same emails', async () => {
      const { users } = storage()
      const given = Array.from({ length: 20 }, () => aNewUser())
      const outcomes = await atOnce(8, () => users.create(given))
      const added = outcomes.flat()
      expect(added).toHaveLength(20)
      expect(new Set(added.map(({ id }) => id)).size).toBe(20)
    })

    it('are added 500 at a time', async () => {
      const { users } = storage()
      const given = Array.from({ length: 500 }, () => aNewUser())
      expect(await users.create(given)).toHaveLength(500)
      const found = await users.list({ emails: given.map(({ email }) => email), limit: 500 })
      expect(new Set(found.map(({ email }) => email))).toStrictEqual(new Set(given.map(({ email }) => email)))
    })

    it('are found by several emails', async () => {
      const { users } = storage()
      const [first, second] = [await givenUser(storage()), await givenUser(storage())]
      const found = await users.list({
        emails: [second.email, aNewUser().email, first.email, first.email.toUpperCase()],
        limit: 500,
      })
      expect([...found].sort((a, b) => a.id - b.id)).toStrictEqual([first, second])
      expect(await users.list({ emails: [], limit: 500 })).toStrictEqual([])
    })

    it('are sampled by id: `hashFrom` returns the hash of the given or the next id, and the highest id', async () => {
      const { users } = storage()
      const first = await givenUser(storage(), { passwordHash: 'first' })
      const second = await givenUser(storage(), { passwordHash: null })
      const found = await users.hashFrom(first.id)
      expect(found).toMatchObject({ passwordHash: 'first' })
      expect(found?.lastId).toBeGreaterThanOrEqual(second.id)
      expect(await users.hashFrom(second.id)).toMatchObject({ passwordHash: null })
      expect(await users.hashFrom((await users.hashFrom(1))?.lastId ?? 0)).toBeDefined()
      expect(await users.hashFrom(2_000_000_000)).toBeUndefined()
    })

    it('are found by their exact email, without wildcards and in the same case', async () => {
      const { users } = storage()
      const { email } = await givenUser(storage(), { email: `a_c%caf\u00E9.${aNewUser().email}` })
      expect(await users.byEmail(email.replace('a_c', 'abc'))).toBeUndefined()
      expect(await users.byEmail(email.toUpperCase())).toBeUndefined()
      expect(await users.byEmail(email.normalize('NFD'))).toBeUndefined()
      expect(await users.byEmail(`${email} `)).toBeUndefined()
    })

    it('are listed by rising id, page by page, including disabled users', async () => {
      const { users } = storage()
      const [first, second, third] = [await givenUser(storage()), await givenUser(storage()), await givenUser(storage())]
      const disabled = await users.change(second.id, second.version, { disabledAt: later }, later)
      expect(await users.list({ afterId: first.id - 1, limit: 2 })).toStrictEqual([first, disabled])
      expect(await users.list({ afterId: second.id, limit: 2 })).toStrictEqual([third])
      expect(await users.list({ afterId: third.id, limit: 2 })).toStrictEqual([])
    })

    it('are listed and counted by conditions, and a text is found in every case and script', async () => {
      const { users } = storage()
      const email = `finding_%${aNewUser().email}`
      const department = { id: `d-${email}`, name: '' }
      const early = await givenUser(storage(), {
        email,
        department,
        name: 'STRASSE Übung',
        createdAt: now - 2,
        permissions: ['a.b@x'],
      })
      const late = await givenUser(storage(), { department, name: 'Άννα', createdAt: now - 1, permissions: ['a.b', 'c.d'] })
      const locked = await givenUser(storage(), { department, createdAt: now })
      await users.setLock(locked.id, now, now)
      const found = async (query: UserQuery) => {
        const page = await users.list({ departmentId: department.id, ...query, afterId: early.id - 1, limit: 10 })
        expect(await users.count({ departmentId: department.id, ...query })).toBe(page.length)
        return page.map(({ id }) => id)
      }
      expect(await found({})).toEqual([early.id, late.id, locked.id])
      for (const search of ['straße ü', 'FINDING_%', 'übung', 'Übung'.normalize('NFD')])
        expect([search, await found({ search })]).toEqual([search, [early.id]])
      expect(await found({ search: 'άνν' })).toEqual([late.id])
      expect(await found({ search: 'finding__' })).toEqual([])
      expect(await found({ permission: 'a.b' })).toEqual([late.id])
      expect(await found({ permission: 'a.b@x' })).toEqual([early.id])
      expect([await found({ locked: true }), await found({ locked: false })]).toEqual([[locked.id], [early.id, late.id]])
      expect([await found({ disabled: true }), await found({ since: now - 1, before: now })]).toEqual([[], [late.id]])
      const renamed = await users.change(late.id, late.version, { name: 'Zoë' }, later)
      expect(renamed).toMatchObject({ name: 'Zoë' })
      expect([await found({ search: 'ZOË' }), await found({ search: 'άνν' })]).toEqual([[late.id], []])
    })

    it('who have no trusted device are found', async () => {
      const { users } = storage()
      const department = { id: aNewUser().email, name: '' }
      const [without, owner] = [await givenUser(storage(), { department }), await givenUser(storage(), { department })]
      const device = await givenDevice(storage(), { userId: owner.id, trustedAt: now + 1 })
      const found = async (noTrustedDeviceAt: number) => {
        const page = await users.list({ departmentId: department.id, noTrustedDeviceAt, afterId: 0, limit: 10 })
        return page.map(({ id }) => id)
      }
      expect([await found(now), await found(now + 1)]).toEqual([[without.id, owner.id], [without.id]])
      await storage().devices.remove(owner.id, device.id, now + 2)
      expect(await found(now + 2)).toEqual([without.id, owner.id])
    })

    it('who have a device of the approver and no trusted passkey are counted', async () => {
      const { users } = storage()
      const department = { id: aNewUser().email, name: '' }
      const [app, page, both] = [
        await givenUser(storage(), { department }),
        await givenUser(storage(), { department }),
        await givenUser(storage(), { department }),
      ]
      await givenDevice(storage(), { userId: app.id })
      const device = await givenDevice(storage(), { userId: page.id, registeredWith: 'approver' })
      await givenDevice(storage(), { userId: both.id, registeredWith: 'approver' })
      await givenPasskey(storage(), { userId: both.id, trustedAt: now + 1 })
      const count = (needsPasskeyAt: number) => users.count({ departmentId: department.id, needsPasskeyAt })
      expect([await count(now), await count(now + 1)]).toEqual([2, 1])
      await storage().devices.remove(page.id, device.id, now + 2)
      expect(await count(now + 2)).toBe(0)
    })

    it('are found by their ids, disabled users too', async () => {
      const { users } = storage()
      const [one, other] = [await givenUser(storage()), await givenUser(storage())]
      const disabled = await users.change(other.id, other.version, { disabledAt: later }, later)
      expect(await users.list({ ids: [other.id, 2_000_000_000, one.id], limit: 1001 })).toStrictEqual([one, disabled])
      expect(await users.list({ ids: [], limit: 1001 })).toStrictEqual([])
    })

    it('with an email that is not ASCII or is punycode are listed by rising id, page by page, and no others', async () => {
      const { users } = storage()
      const plain = await givenUser(storage())
      const beyond = await givenUser(storage(), { email: `zoë.${aNewUser().email}` })
      const erased = await givenUser(storage(), { email: `zoé.${aNewUser().email}` })
      const punycode = await givenUser(storage(), { email: `${aNewUser().email}.xn--mnchen-3ya.example` })
      await users.erase(erased.id, later)
      expect(await users.list({ internationalEmail: true, afterId: plain.id - 1, limit: 2 })).toStrictEqual([beyond, punycode])
      expect(await users.list({ internationalEmail: true, afterId: beyond.id, limit: 1 })).toMatchObject([{ id: punycode.id }])
      expect(await users.list({ internationalEmail: true, afterId: punycode.id, limit: 2 })).toStrictEqual([])
    })
  })
}
