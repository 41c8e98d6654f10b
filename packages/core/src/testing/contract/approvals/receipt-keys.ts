import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PublishedReceiptKey } from '../../../approvals/receipt-keys/receipt-key.ts'
import type { FullStorage } from '../../../storage.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'

const aKey = (overrides: Partial<PublishedReceiptKey> = {}): PublishedReceiptKey => ({
  kid: randomBytes(32).toString('base64url'),
  alg: 'Ed25519',
  jwk: { kty: 'OKP', crv: 'Ed25519', x: randomBytes(32).toString('base64url') },
  activeFrom: clockStart,
  retiredAt: null,
  revokedAt: null,
  revokedReason: null,
  ...overrides,
})

export const receiptKeysContract = (storage: () => FullStorage): void => {
  describe('receipt keys', () => {
    const given = async (overrides?: Partial<PublishedReceiptKey>) => {
      const key = aKey(overrides)
      await storage().receiptKeys.publish(key)
      return key
    }
    const readKey = async (kid: string) => (await storage().receiptKeys.all()).find((key) => key.kid === kid)

    it('are listed as they were published, oldest first', async () => {
      const later = await given({ activeFrom: clockStart + 5 })
      const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const
      const earlier = await given({ activeFrom: clockStart - 5, alg: 'ES256', jwk })
      const kids = (await storage().receiptKeys.all()).map(({ kid }) => kid)
      expect(kids.indexOf(earlier.kid)).toBeLessThan(kids.indexOf(later.kid))
      expect(await readKey(earlier.kid)).toStrictEqual(earlier)
      expect(await readKey(later.kid)).toStrictEqual(later)
    })

    it('are not changed by another publication, also at the same time', async () => {
      const key = aKey()
      await atOnce(10, (at) => storage().receiptKeys.publish({ ...key, activeFrom: clockStart + at }))
      const first = await readKey(key.kid)
      await storage().receiptKeys.publish({ ...key, activeFrom: clockStart + 100, retiredAt: clockStart })
      expect(await readKey(key.kid)).toStrictEqual(first)
      expect((await storage().receiptKeys.all()).filter(({ kid }) => kid === key.kid)).toHaveLength(1)
    })

    it('are retired once', async () => {
      const { receiptKeys } = storage()
      const [key, other] = [await given(), await given()]
      const outcomes = await atOnce(10, () => receiptKeys.retire(key.kid, clockStart + 9))
      expect(tally(outcomes, true)).toBe(1)
      expect(await receiptKeys.retire(aKey().kid, clockStart)).toBe(false)
      expect(await readKey(key.kid)).toStrictEqual({ ...key, retiredAt: clockStart + 9 })
      expect(await readKey(other.kid)).toStrictEqual(other)
    })

    it('are revoked once, also after they were retired, and never retired afterwards', async () => {
      const { receiptKeys } = storage()
      const key = await given({ retiredAt: clockStart + 1 })
      const outcomes = await atOnce(10, () => receiptKeys.revoke(key.kid, clockStart + 9, 'stolen'))
      expect(tally(outcomes, true)).toBe(1)
      expect(await receiptKeys.revoke(aKey().kid, clockStart, 'stolen')).toBe(false)
      expect(await receiptKeys.retire(key.kid, clockStart + 10)).toBe(false)
      expect(await readKey(key.kid)).toStrictEqual({ ...key, revokedAt: clockStart + 9, revokedReason: 'stolen' })
    })
  })
}
