import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { givenCustomer } from '../given.ts'

export const customersContract = (storage: () => FullStorage): void => {
  describe('customers', () => {
    it('are returned as they were added', async () => {
      const customer = await givenCustomer(storage())
      expect(await storage().projects.customers.byId(customer.id)).toStrictEqual(customer)
    })

    it('are listed by rising id, page by page', async () => {
      const { customers } = storage().projects
      const given = [await givenCustomer(storage()), await givenCustomer(storage()), await givenCustomer(storage())]
      const seen: string[] = []
      for (let afterId = ''; ; ) {
        const page = await customers.list({ afterId, limit: 2 })
        expect(page.length).toBeLessThanOrEqual(2)
        const last = page.at(-1)
        if (last === undefined) break
        seen.push(...page.map(({ id }) => id))
        afterId = last.id
      }
      expect(seen).toStrictEqual([...new Set(seen)].sort())
      expect(seen).toStrictEqual(expect.arrayContaining(given.map(({ id }) => id)))
    })
  })
}
