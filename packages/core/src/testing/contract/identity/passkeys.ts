import { describe, expect, it } from 'vitest'
import type { Passkey } from '../../../identity/records/passkey.ts'
import type { FullStorage } from '../../../storage.ts'
import { aPasskey } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenPasskey, givenUser, givenUserInSession } from '../given.ts'

const later = clockStart + 1234

export const passkeysContract = (storage: () => FullStorage): void => {
  describe('passkeys', () => {
    it('are returned as they were registered, oldest first', async () => {
      const { passkeys } = storage()
      const user = await givenUser(storage())
      const of = { userId: user.id }
      const younger = await givenPasskey(storage(), { ...of, createdAt: later })
      const older = await givenPasskey(storage(), {
        ...of,
        algorithm: -257,
        signCount: 2 ** 32 - 1,
        transports: [],
        backupEligible: false,
        backedUp: false,
        discoverable: null,
        lastUsedAt: later,
      })
      await givenPasskey(storage(), { userId: (await givenUser(storage())).id })
      expect(await passkeys.withId(older.id)).toStrictEqual([older])
      expect(await passkeys.withId(younger.id)).toStrictEqual([younger])
      expect(await passkeys.allOfUser(user.id)).toStrictEqual([older, younger])
    })

    it('are compared by their exact ids', async () => {
      const { passkeys } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const { id } = await givenPasskey(storage(), { userId: user.id })
      const swapped = [...id].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')
      expect(await passkeys.withId(swapped)).toStrictEqual([])
      expect(await passkeys.register(aPasskey({ userId: user.id, id: swapped }), sessionId, 20)).toBe('registered')
    })

    it('with the same id are returned up to a hundred', async () => {
      const { id } = aPasskey()
      const first = await givenPasskey(storage(), { userId: (await givenUser(storage())).id, id })
      await storage().transaction(async (tx) => {
        for (let others = 0; others < 101; others += 1) {
          await givenPasskey(tx, { userId: (await givenUser(tx)).id, id, createdAt: later })
        }
      })
      const found = await storage().passkeys.withId(id)
      expect(found).toHaveLength(100)
      expect(found[0]).toStrictEqual(first)
    })

    describe('are used', () => {
      const use = ({ userId, id }: Passkey, signCount: number, backedUp = true) =>
        storage().passkeys.use({ userId, id, signCount, backedUp, now: later })
      const given = async (signCount: number) =>
        givenPasskey(storage(), { userId: (await givenUser(storage())).id, signCount, backedUp: false })

      it('with a rising count, which is stored', async () => {
        const passkey = await given(7)
        const bystander = await givenPasskey(storage(), { userId: passkey.userId })
        expect(await use(passkey, 8)).toBe(true)
        const used = { ...passkey, signCount: 8, backedUp: true, lastUsedAt: later }
        expect(await storage().passkeys.withId(passkey.id)).toStrictEqual([used])
        expect(await use(passkey, 2 ** 32 - 1, false)).toBe(true)
        expect(await storage().passkeys.withId(passkey.id)).toMatchObject([{ signCount: 2 ** 32 - 1, backedUp: false }])
        expect(await storage().passkeys.withId(bystander.id)).toStrictEqual([bystander])
      })

      it.each([0, 6, 7])('not with a count of %i after 7, and nothing changes', async (signCount) => {
        const passkey = await given(7)
        expect(await use(passkey, signCount)).toBe(false)
        expect(await storage().passkeys.withId(passkey.id)).toStrictEqual([passkey])
      })

      it('by exactly one of concurrent calls with the same count', async () => {
        const passkey = await given(1)
        expect(tally(await atOnce(50, () => use(passkey, 2)), true)).toBe(1)
      })

      it('up to the highest count of concurrent calls', async () => {
        const passkey = await given(0)
        await atOnce(50, (index) => use(passkey, 50 - index))
        expect(await storage().passkeys.withId(passkey.id)).toMatchObject([{ signCount: 50 }])
      })
    })
  })
}
