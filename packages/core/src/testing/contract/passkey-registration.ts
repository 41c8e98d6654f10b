import { describe, expect, it } from 'vitest'
import type { Storage } from '../../ports/storage.ts'
import { aPasskey } from '../builders.ts'
import { atOnce, tally } from './at-once.ts'
import { givenPasskey, givenUser } from './given.ts'

export const passkeyRegistrationContract = (storage: () => Storage): void => {
  describe('registering passkeys', () => {
    it('takes a credential once, whoever’s it is', async () => {
      const { passkeys } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const passkey = await givenPasskey(storage(), { userId: user.id })
      for (const userId of [user.id, other.id]) {
        expect(await passkeys.register(aPasskey({ id: passkey.id, userId }), 20)).toBe('known')
      }
      expect(await passkeys.byId(passkey.id)).toStrictEqual(passkey)
      expect(await passkeys.allOfUser(other.id)).toStrictEqual([])
    })

    it('takes it again once it was removed', async () => {
      const { passkeys } = storage()
      const user = await givenUser(storage())
      const passkey = await givenPasskey(storage(), { userId: user.id })
      await passkeys.remove(user.id, passkey.id)
      expect(await passkeys.register(passkey, 20)).toBe('registered')
    })

    it('registers one, of any number at once with one credential, of several users', async () => {
      const { passkeys } = storage()
      const users = [await givenUser(storage()), await givenUser(storage())]
      const { id } = aPasskey()
      const outcomes = await atOnce(50, (index) => passkeys.register(aPasskey({ id, userId: users[index % 2]?.id ?? 0 }), 20))
      expect(tally(outcomes, 'registered')).toBe(1)
      expect(tally(outcomes, 'known')).toBe(49)
    })

    it('stops at the limit, for this user only', async () => {
      const { passkeys } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      await givenPasskey(storage(), { userId: other.id })
      expect(await passkeys.register(aPasskey({ userId: user.id }), 2)).toBe('registered')
      expect(await passkeys.register(aPasskey({ userId: user.id }), 2)).toBe('registered')
      expect(await passkeys.register(aPasskey({ userId: user.id }), 2)).toBe('too_many')
      expect(await passkeys.register(aPasskey({ userId: user.id }), 3)).toBe('registered')
      expect(await passkeys.allOfUser(user.id)).toHaveLength(3)
    })

    it('registers as many as the limit, of any number at once', async () => {
      const { passkeys } = storage()
      const user = await givenUser(storage())
      const outcomes = await atOnce(50, () => passkeys.register(aPasskey({ userId: user.id }), 5))
      expect(tally(outcomes, 'registered')).toBe(5)
      expect(tally(outcomes, 'too_many')).toBe(45)
      expect(await passkeys.allOfUser(user.id)).toHaveLength(5)
    })

    it('refuses without harm to the transaction around', async () => {
      const user = await givenUser(storage())
      const passkey = await givenPasskey(storage(), { userId: user.id })
      const welcome = aPasskey({ userId: user.id })
      await storage().transaction(async (tx) => {
        expect(await tx.passkeys.register(aPasskey({ userId: user.id, id: passkey.id }), 20)).toBe('known')
        expect(await tx.passkeys.register(aPasskey({ userId: user.id }), 1)).toBe('too_many')
        expect(await tx.passkeys.register(welcome, 20)).toBe('registered')
      })
      expect(await storage().passkeys.byId(welcome.id)).toStrictEqual(welcome)
    })
  })

  describe('the handle of a user', () => {
    const fresh = () => aPasskey().userHandle

    it('is the first that was offered, for good', async () => {
      const { passkeys } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const handle = fresh()
      expect(await passkeys.userHandle(user.id, handle)).toBe(handle)
      expect(await passkeys.userHandle(user.id, fresh())).toBe(handle)
      expect(await passkeys.userHandle(other.id, fresh())).not.toBe(handle)
    })

    it('is the same for any number at once', async () => {
      const { passkeys } = storage()
      const user = await givenUser(storage())
      const handles = await atOnce(50, () => passkeys.userHandle(user.id, fresh()))
      expect(new Set(handles).size).toBe(1)
      expect(await passkeys.userHandle(user.id, fresh())).toBe(handles[0])
    })
  })
}
