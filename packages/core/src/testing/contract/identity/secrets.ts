import { describe, expect, it } from 'vitest'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSealedField } from '../../builders.ts'

/** The promises of `SecretStore`. */
export const secretsContract = (storage: () => FullStorage): void => {
  describe('secrets', () => {
    it('keep the first one that is stored under an id', async () => {
      const { secrets } = storage()
      const [first, second, other] = [aSealedField(), aSealedField(), aSealedField()]
      const [id, otherId] = [randomUuid(systemRandom), randomUuid(systemRandom)]
      expect(await secrets.keepFirst(id, first)).toBe(first)
      expect(await secrets.keepFirst(id, second)).toBe(first)
      expect(await secrets.keepFirst(otherId, other)).toBe(other)
    })

    it('are the same for all of twenty concurrent callers', async () => {
      const { secrets } = storage()
      const id = randomUuid(systemRandom)
      const kept = await Promise.all(Array.from({ length: 20 }, () => secrets.keepFirst(id, aSealedField())))
      expect(new Set(kept).size).toBe(1)
      expect(await secrets.keepFirst(id, aSealedField())).toBe(kept[0])
    })
  })
}
