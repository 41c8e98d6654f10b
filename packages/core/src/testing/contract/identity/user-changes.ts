import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aNewUser } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234

export const userChangesContract = (storage: () => FullStorage): void => {
  describe('changes of a user', () => {
    it('set the given fields, raise the version, and keep the other fields', async () => {
      const { users } = storage()
      const user = await givenUser(storage(), { passwordHash: 'old hash', permissions: ['a.read'] })
      const changed = await users.change(user.id, user.version, { permissions: ['b.read', 'c.read'] }, later)
      expect(changed).toStrictEqual({
        ...user,
        permissions: ['b.read', 'c.read'],
        version: expect.any(Number),
        updatedAt: later,
      })
      expect(changed?.version).toBeGreaterThan(user.version)
      expect(await users.byId(user.id)).toStrictEqual(changed)
    })

    it('lock and unlock the account, each once', async () => {
      const { users, sessions } = storage()
      const user = await givenUser(storage())
      const session = await givenSession(storage(), { userId: user.id })
      expect(await users.setLock(user.id, null, later)).toBeUndefined()
      const locked = await users.setLock(user.id, later, later)
      expect(locked).toStrictEqual({ ...user, lockedAt: later, version: expect.any(Number), updatedAt: later })
      expect(locked?.version).toBeGreaterThan(user.version)
      expect(await users.byId(user.id)).toStrictEqual(locked)
      expect(await users.setLock(user.id, later + 1, later + 1)).toBeUndefined()
      expect(await users.admit(user.id, locked?.version ?? 0)).toBe(false)
      expect(await sessions.status(session.id)).toBeUndefined()
      expect(await sessions.hold(session.id, user.id)).toBe(false)
      const opened = await users.setLock(user.id, null, later + 2)
      expect(opened).toMatchObject({ lockedAt: null, updatedAt: later + 2 })
      expect(opened?.version).toBeGreaterThan(locked?.version ?? 0)
      expect(await users.admit(user.id, opened?.version ?? 0)).toBe(true)
      expect(await sessions.status(session.id)).toBeDefined()
    })

    it('lock the account for exactly one of concurrent callers', async () => {
      const { users } = storage()
      const user = await givenUser(storage())
      const outcomes = await atOnce(20, () => users.setLock(user.id, later, later))
      expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1)
    })

    it('refuse the email of another user without ending the surrounding transaction', async () => {
      const { users } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      await storage().transaction(async (tx) => {
        expect(await tx.users.change(user.id, user.version, { email: other.email, name: 'Nobody' }, later)).toBeUndefined()
        await tx.users.upgradePasswordHash(user.id, '', 'never')
      })
      expect(await users.byId(user.id)).toStrictEqual(user)
      expect(await users.byEmail(other.email)).toStrictEqual(other)
    })

    it('give an email to exactly one of concurrent users', async () => {
      const { users } = storage()
      const { email } = aNewUser()
      const takers = await atOnce(10, () => givenUser(storage()))
      const outcomes = await Promise.all(takers.map(({ id, version }) => users.change(id, version, { email }, later)))
      const winners = outcomes.filter((outcome) => outcome !== undefined)
      expect(winners).toHaveLength(1)
      expect(await users.byEmail(email)).toStrictEqual(winners[0])
    })

    it('succeed for exactly one of concurrent changes of one version', async () => {
      const { users } = storage()
      const user = await givenUser(storage())
      const outcomes = await atOnce(50, (index) =>
        users.change(user.id, user.version, { permissions: [`resource${index}.read`] }, later),
      )
      const winners = outcomes.filter((outcome) => outcome !== undefined)
      expect(winners).toHaveLength(1)
      expect(await users.byId(user.id)).toStrictEqual(winners[0])
    })

    describe('admission', () => {
      it('is given to an enabled user of exactly this version', async () => {
        const { users } = storage()
        const user = await givenUser(storage())
        expect(await users.admit(user.id, user.version)).toBe(true)
        expect(await users.admit(user.id, user.version + 1)).toBe(false)
        expect(await users.admit(2_000_000_000, user.version)).toBe(false)
      })
    })

    describe('a stronger hash', () => {
      it('does not undo a change of password', async () => {
        const { users } = storage()
        const user = await givenUser(storage(), { passwordHash: 'weak' })
        const changed = await users.change(user.id, user.version, { passwordHash: 'of another password' }, later)
        await users.upgradePasswordHash(user.id, 'weak', 'strong')
        expect(await users.byId(user.id)).toStrictEqual(changed)
      })

      it('is set once by concurrent callers', async () => {
        const { users } = storage()
        const user = await givenUser(storage(), { passwordHash: 'weak' })
        await atOnce(20, (index) => users.upgradePasswordHash(user.id, 'weak', `strong${index}`))
        const upgraded = await users.byId(user.id)
        expect(upgraded?.passwordHash).toMatch(/^strong\d+$/)
        await users.upgradePasswordHash(user.id, 'weak', 'too late')
        expect(await users.byId(user.id)).toStrictEqual(upgraded)
      })
    })
  })
}
