import { describe, expect, it } from 'vitest'
import type { ServiceToken } from '../../../identity/records/service-token.ts'
import type { FullStorage } from '../../../storage.ts'
import { aServiceToken } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'

const later = clockStart + 1234

export const serviceTokensContract = (storage: () => FullStorage): void => {
  describe('service tokens', () => {
    const given = async (overrides: Partial<ServiceToken> = {}) => {
      const token = aServiceToken(overrides)
      await storage().serviceTokens.add(token)
      return token
    }

    it('are returned as they were added', async () => {
      const { serviceTokens } = storage()
      const token = await given({ scopes: ['b.write', 'a.read'], within: ['acme', 'Acme'] })
      const bare = await given({ scopes: [] })
      expect(await serviceTokens.status(token.id)).toStrictEqual(token)
      expect(await serviceTokens.status(bare.id)).toStrictEqual(bare)
      expect(await serviceTokens.status(aServiceToken().id)).toBeUndefined()
    })

    it('are invalid from the moment they are revoked', async () => {
      const { serviceTokens } = storage()
      const [token, other] = [await given(), await given()]
      expect(await serviceTokens.status(token.id)).toStrictEqual(token)
      expect(await serviceTokens.revoke(token.id, later)).toStrictEqual({ ...token, revokedAt: later })
      expect(await serviceTokens.status(token.id)).toBeUndefined()
      expect(await serviceTokens.status(other.id)).toStrictEqual(other)
    })

    it('are valid again when the transaction that revoked them failed', async () => {
      const token = await given()
      const failure = new Error('changed my mind')
      const failing = storage().transaction(async (tx) => {
        await tx.serviceTokens.revoke(token.id, later)
        expect(await tx.serviceTokens.status(token.id)).toBeUndefined()
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      expect(await storage().serviceTokens.status(token.id)).toStrictEqual(token)
    })
  })
}
