import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FullStorage } from '../../storage.ts'
import { revocationContract } from './tenants/service-revocation.ts'
import { replay, type Step } from './tenants/tenant-history.ts'
import { createTenantWorld, type TenantWorld } from './tenants/tenant-world.ts'

const HISTORIES = 1000
/** Each part has the patience of one test, so that a busy machine ends none. */
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8] as const
const PATIENCE = 120_000

const number = fc.nat({ max: 59 })

const kinds: readonly Step['kind'][] = [
  'grant',
  'delegate',
  'signIn',
  'ask',
  'askSeveral',
  'askByService',
  'approve',
  'read',
  'redeem',
  'pending',
]

const step = fc.record<Step>({
  kind: fc.constantFrom(...kinds),
  person: number,
  phone: number,
  service: number,
  tenant: number,
  thing: number,
  held: fc.array(number, { maxLength: 3 }),
})

/**
 * Declares in Vitest that nothing crosses a tenant: 1,000 random histories of people, services, requests and delegations in random
 * tenants, with sessions and devices that are bound to some of them. No approval, read, notice, count, code or error text of one
 * tenant depends on another one. No bound session outlives the tokens of its service.
 *
 * @param open Opens a storage after its migrations, which nothing else uses. The suite closes the storage.
 */
export const describeTenants = (name: string, open: () => Promise<FullStorage>): void => {
  describe(`tenants: ${name}`, { timeout: PATIENCE }, () => {
    let opened: FullStorage
    let world: TenantWorld
    beforeAll(async () => {
      opened = await open()
      world = await createTenantWorld(opened)
    })
    afterAll(() => opened.close())

    it.each(PARTS)('keep people, services and requests separate, part %i', async () => {
      let replayed = 0
      for (const history of fc.sample(fc.array(step, { minLength: 3, maxLength: 9 }), HISTORIES / PARTS.length)) {
        await replay(world, history).catch((error: unknown) => {
          throw new Error(`a history crossed a tenant: ${JSON.stringify(history)}`, { cause: error })
        })
        replayed += 1
      }
      expect(replayed).toBe(HISTORIES / PARTS.length)
    })

    revocationContract(() => world)
  })
}
