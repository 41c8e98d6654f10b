import { describe, expect, it } from 'vitest'
import type { Delegation } from '../../../identity/records/delegation.ts'
import type { FullStorage } from '../../../storage.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenUser } from '../given.ts'

const until = clockStart + 1000

export const delegationsContract = (storage: () => FullStorage): void => {
  describe('delegations', () => {
    const given = async (overrides: Partial<Delegation> = {}) => {
      const [from, to] = [await givenUser(storage()), await givenUser(storage())]
      const permission = `payment.approve${from.id}`
      const delegation = { from: from.id, to: to.id, permission, until, createdAt: clockStart, ...overrides }
      await storage().delegations.put(delegation)
      return delegation
    }

    it('are found by their giver, their delegate and their permission, until their end', async () => {
      const { delegations } = storage()
      const one = await given()
      const other = await given({ from: one.to })
      expect(await delegations.running({ userId: one.from }, clockStart)).toStrictEqual([one])
      expect(await delegations.running({ userId: one.to }, until - 1)).toStrictEqual([one, other])
      expect(
        await delegations.running({ permissions: [one.permission, other.permission, 'none.held'], limit: 5 }, until - 1),
      ).toStrictEqual([one, other])
      expect(await delegations.running({ permissions: [one.permission, other.permission], limit: 1 }, until - 1)).toStrictEqual([
        one,
      ])
      expect(await delegations.running({ userId: one.to }, until)).toStrictEqual([])
      expect(await delegations.running({ permissions: [one.permission], limit: 5 }, until)).toStrictEqual([])
    })

    it('replace an earlier one with the same giver, delegate and permission', async () => {
      const one = await given()
      const longer = { ...one, until: until + 1, createdAt: clockStart + 1 }
      await storage().delegations.put(longer)
      expect(await storage().delegations.running({ userId: one.from }, clockStart)).toStrictEqual([longer])
    })

    it('end once, and can be locked only until they end', async () => {
      const { delegations } = storage()
      const one = await given()
      expect(await delegations.hold(one, until - 1)).toBe(true)
      expect(await delegations.hold(one, until)).toBe(false)
      expect(await delegations.hold({ ...one, from: one.to, to: one.from }, clockStart)).toBe(false)
      expect([await delegations.end(one), await delegations.end(one)]).toStrictEqual([true, false])
      expect(await delegations.hold(one, clockStart)).toBe(false)
    })

    it('do not end while a transaction has locked them', async () => {
      const one = await given()
      const isThere: boolean[] = []
      const holding = storage().transaction(async (tx) => {
        const isHeld = await tx.delegations.hold(one, clockStart)
        for (let read = 0; read < 5; read += 1) {
          isThere.push((await tx.delegations.running({ userId: one.from }, clockStart)).length === (isHeld ? 1 : 0))
        }
      })
      const [, isEnded] = await Promise.all([holding, storage().delegations.end(one)])
      expect([isEnded, new Set(isThere)]).toStrictEqual([true, new Set([true])])
    })
  })
}
