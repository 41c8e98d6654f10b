import { describe, expect, it } from 'vitest'
import type { OneTimeCode } from '../../../identity/records/one-time-code.ts'
import type { FullStorage } from '../../../storage.ts'
import { aOneTimeCode } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenUser } from '../given.ts'

const later = clockStart + 1234

export const oneTimeCodesContract = (storage: () => FullStorage): void => {
  describe('one-time codes', () => {
    const given = async (overrides: Partial<OneTimeCode> = {}): Promise<OneTimeCode> => {
      const userId = overrides.userId ?? (await givenUser(storage())).id
      const code = aOneTimeCode({ ...overrides, userId })
      await storage().oneTimeCodes.issue(code)
      return code
    }
    const find = ({ hash }: OneTimeCode) => storage().oneTimeCodes.byHash(hash)
    const spend = (code: OneTimeCode, change: Partial<OneTimeCode> = {}, now = later) => {
      const { hash, kind, userId } = { ...code, ...change }
      return storage().oneTimeCodes.spend({ hash, kind, userId, now })
    }

    it.each(['enrolment', 'reset', 'invitation', 'forgot'] as const)(
      'of the kind %s are found by hash as they were issued',
      async (kind) => {
        const code = await given({ kind })
        expect(await find(code)).toStrictEqual(code)
      },
    )

    it('are spent by exactly one of concurrent callers', async () => {
      const code = await given()
      expect(tally(await atOnce(50, () => spend(code)), true)).toBe(1)
    })

    it('can be spent before `expiresAt`, and not from that millisecond on', async () => {
      const code = await given()
      expect(await spend(code, {}, code.expiresAt)).toBe(false)
      expect(await find(code)).toStrictEqual(code)
      expect(await spend(code, {}, code.expiresAt - 1)).toBe(true)
    })

    it('that are issued at the same time leave one valid code', async () => {
      const user = await givenUser(storage())
      const codes = await atOnce(20, () => given({ userId: user.id }))
      const found = await Promise.all(codes.map((code) => find(code)))
      expect(found.filter((code) => code !== undefined)).toHaveLength(1)
    })

    it('of a user are all voided together, and codes of other users stay', async () => {
      const code = await given()
      const reset = await given({ userId: code.userId, kind: 'reset' })
      const other = await given()
      expect(await storage().oneTimeCodes.voidAllOfUser(code.userId)).toBe(2)
      expect(await spend(code)).toBe(false)
      expect(await spend(reset)).toBe(false)
      expect(await spend(other)).toBe(true)
      expect(await storage().oneTimeCodes.voidAllOfUser(code.userId)).toBe(0)
    })

    describe('of the kind forgot', () => {
      const MOST = 3
      const issueForgot = async (userId: number, overrides: Partial<OneTimeCode> = {}) => {
        const code = aOneTimeCode({ userId, kind: 'forgot', ...overrides })
        return { code, isIssued: await storage().oneTimeCodes.issueForgot(code, MOST) }
      }

      it('are stored in addition to each other and to other kinds, up to the limit', async () => {
        const reset = await given({ kind: 'reset' })
        const issued: Awaited<ReturnType<typeof issueForgot>>[] = []
        for (let count = 0; count <= MOST; count += 1) issued.push(await issueForgot(reset.userId))
        expect(issued.map(({ isIssued }) => isIssued)).toStrictEqual([true, true, true, false])
        const stored = await storage().oneTimeCodes.allOfUser(reset.userId)
        expect(stored).toHaveLength(4)
        expect(stored).toEqual(expect.arrayContaining([reset, ...issued.slice(0, MOST).map(({ code }) => code)]))
        expect((await issueForgot((await givenUser(storage())).id)).isIssued).toBe(true)
      })

      it('are exactly as many as the limit after concurrent calls', async () => {
        const { id } = await givenUser(storage())
        expect(tally(await atOnce(20, async () => (await issueForgot(id)).isIssued), true)).toBe(MOST)
        expect(await storage().oneTimeCodes.allOfUser(id)).toHaveLength(MOST)
      })

      it('make room when they are spent, when they expire, and when their kind is voided', async () => {
        const reset = await given({ kind: 'reset' })
        const { userId } = reset
        const codes = [await issueForgot(userId), await issueForgot(userId), await issueForgot(userId)].map(({ code }) => code)
        const [first = reset, second = reset] = codes
        expect(await spend(first)).toBe(true)
        expect((await issueForgot(userId)).isIssued).toBe(true)
        expect((await issueForgot(userId)).isIssued).toBe(false)
        expect((await issueForgot(userId, { createdAt: second.expiresAt, expiresAt: second.expiresAt + 1 })).isIssued).toBe(true)
        expect(await storage().oneTimeCodes.voidAllOfUser(userId, 'forgot')).toBeGreaterThan(0)
        expect(await storage().oneTimeCodes.allOfUser(userId)).toStrictEqual([reset])
      })
    })
  })
}
