import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aPasskey } from '../../builders.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenPasskey, givenUser, givenUserInSession } from '../given.ts'

export const passkeyRegistrationContract = (storage: () => FullStorage): void => {
  describe('registering passkeys', () => {
    it('accepts a credential once for each user', async () => {
      const { passkeys } = storage()
      const [{ user, sessionId }, other] = [await givenUserInSession(storage()), await givenUserInSession(storage())]
      const passkey = await givenPasskey(storage(), { userId: user.id })
      expect(await passkeys.register(aPasskey({ id: passkey.id, userId: user.id }), sessionId, 20)).toBe('known')
      const copy = aPasskey({ id: passkey.id, userId: other.user.id })
      expect(await passkeys.register(copy, other.sessionId, 20)).toBe('registered')
      expect(await passkeys.register(copy, other.sessionId, 20)).toBe('known')
      expect(await passkeys.allOfUser(user.id)).toStrictEqual([passkey])
      expect(await passkeys.allOfUser(other.user.id)).toStrictEqual([copy])
    })

    it('registers exactly one passkey for each user if concurrent calls have the same credential', async () => {
      const { passkeys } = storage()
      const [one, other] = [await givenUserInSession(storage()), await givenUserInSession(storage())]
      const { id } = aPasskey()
      const outcomes = await atOnce(50, (index) => {
        const { user, sessionId } = index % 2 === 0 ? one : other
        return passkeys.register(aPasskey({ id, userId: user.id }), sessionId, 20)
      })
      expect(tally(outcomes, 'registered')).toBe(2)
      expect(tally(outcomes, 'known')).toBe(48)
    })

    it('registers exactly the limit of concurrent passkeys', async () => {
      const { passkeys } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const outcomes = await atOnce(50, () => passkeys.register(aPasskey({ userId: user.id }), sessionId, 5))
      expect(tally(outcomes, 'registered')).toBe(5)
      expect(tally(outcomes, 'too_many')).toBe(45)
      expect(await passkeys.allOfUser(user.id)).toHaveLength(5)
    })

    it('refuses without ending the surrounding transaction', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const passkey = await givenPasskey(storage(), { userId: user.id })
      const welcome = aPasskey({ userId: user.id })
      await storage().transaction(async (tx) => {
        expect(await tx.passkeys.register(aPasskey({ userId: user.id, id: passkey.id }), sessionId, 20)).toBe('known')
        expect(await tx.passkeys.register(aPasskey({ userId: user.id }), sessionId, 1)).toBe('too_many')
        expect(await tx.passkeys.register(welcome, sessionId, 20)).toBe('registered')
      })
      expect(await storage().passkeys.withId(welcome.id)).toStrictEqual([welcome])
    })
  })

  describe('the handle of a user', () => {
    const fresh = () => aPasskey().userHandle

    it('is the same for concurrent callers', async () => {
      const { passkeys } = storage()
      const user = await givenUser(storage())
      const handles = await atOnce(50, () => passkeys.userHandle(user.id, fresh()))
      expect(new Set(handles).size).toBe(1)
      expect(await passkeys.userHandle(user.id, fresh())).toBe(handles[0])
    })
  })
}
