import { projectProgressValues, projectSortKeys, sortOrders } from '@countersign/contract'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { NewProject, ProjectQuery } from '../../../projects/records/project.ts'
import { seconds } from '../../../shared/clock.ts'
import { fold } from '../../../shared/fold.ts'
import type { FullStorage } from '../../../storage.ts'
import { aProject } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenCustomer, givenProject, givenUser } from '../given.ts'
import { expectedIds, plainQuery, totalOf } from './expected-list.ts'

const PATIENCE = 60_000
/** More projects than any storage reads in one step. */
const THOUSANDS = 2500

const statuses = ['pending', 'approved', 'lost'] as const
const names = ['alpha', 'Alpha', 'Zulu', 'émile', '漢字', '🔐', 'a', 'a b', 'a-b', '\uFFEE', '𝕏']

/** Projects with few different values, so that many are equal in their sort keys and filters. */
const someProject = fc.record({
  name: fc.constantFrom(...names),
  description: fc.constantFrom('', 'Mill', 'mILL of brass', '100%'),
  status: fc.constantFrom(...statuses),
  progress: fc.constantFrom(...projectProgressValues),
  contractValue: fc.constantFrom(0, 0.1, 10, 9, 1e21),
  replyDate: fc.constantFrom(null, clockStart, clockStart - seconds(1), -1),
  createdAt: fc.constantFrom(clockStart, clockStart + 1, clockStart + seconds(60)),
  updatedAt: fc.constantFrom(clockStart, clockStart + seconds(90)),
})

export const projectListsContract = (storage: () => FullStorage): void => {
  describe('lists of projects', () => {
    const idsOf = async (query: ProjectQuery): Promise<readonly string[]> =>
      (await storage().projects.projects.list(query)).projects.map(({ id }) => id)

    describe('of many similar projects', () => {
      const projects: NewProject[] = []
      const customers: string[] = []

      beforeAll(async () => {
        const creatorId = (await givenUser(storage())).id
        for (let count = 0; count < 2; count += 1) customers.push((await givenCustomer(storage())).id)
        const samples = fc.sample(someProject, { numRuns: 90, seed: 1 })
        for (const [index, overrides] of samples.entries()) {
          const customerId = customers[index % 2] as string
          projects.push(await givenProject(storage(), { ...overrides, customerId, creatorId }))
        }
      }, PATIENCE)

      const someQuery = fc.record({
        customer: fc.constantFrom(0, 1),
        status: fc.option(fc.constantFrom(...statuses, 'unheard of'), { nil: undefined }),
        progress: fc.option(fc.constantFrom(...projectProgressValues), { nil: undefined }),
        needle: fc.option(fc.constantFrom('mill', 'ILL o', '%', '_', 'é', '漢', 'a', 'zulu', '𝕏'), { nil: undefined }),
        sort: fc.constantFrom(...projectSortKeys),
        direction: fc.constantFrom(...sortOrders),
        limit: fc.constantFrom(1, 7, 10, 45, 100),
      })

      it('return each matching project exactly once, in order, with the exact total, for every query', async () => {
        const property = fc.asyncProperty(someQuery, async ({ customer, status, progress, needle, sort, direction, limit }) => {
          const filters = { customerId: customers[customer], status, progress }
          const query = { filters, needle: needle === undefined ? undefined : fold(needle), sort, direction, limit }
          const all = expectedIds(projects, { ...query, offset: 0 })
          const seen: string[] = []
          for (let offset = 0; offset <= all.length; offset += limit) {
            const page = await storage().projects.projects.list({ ...query, offset })
            expect(page.total).toBe(all.length)
            seen.push(...page.projects.map(({ id }) => id))
          }
          expect(seen).toStrictEqual(all)
        })
        await fc.assert(property, { numRuns: 120 })
      })
    })

    it(
      'of thousands of projects are the same at every offset, in every order, and after a change',
      async () => {
        const { id: customerId } = await givenCustomer(storage())
        const { id: creatorId } = await givenUser(storage())
        const samples = fc.sample(someProject, { numRuns: THOUSANDS, seed: 3 })
        const projects = samples.map((sample) => aProject({ ...sample, customerId, creatorId }))
        await storage().transaction(async (tx) => {
          for (const project of projects) await tx.projects.projects.create(project, 1, () => project.uniqueCode)
        })
        const queries: readonly ProjectQuery[] = [
          { ...plainQuery, filters: { customerId } },
          { ...plainQuery, filters: { customerId, status: 'approved' } },
          { ...plainQuery, filters: { customerId }, sort: 'name', direction: 'asc' },
        ]
        const place = fc.record({
          list: fc.nat(queries.length - 1),
          offset: fc.nat(THOUSANDS),
          limit: fc.constantFrom(1, 10, 100),
        })
        const compare = async () => {
          const lists = queries.map((query) => ({ query, ids: expectedIds(projects, query) }))
          const property = fc.asyncProperty(place, fc.boolean(), async ({ list, offset, limit }, isBeforeIt) => {
            const { query, ids } = lists[list] as (typeof lists)[number]
            // Reads a page and both its neighbours, as people turn pages.
            for (const at of [offset, offset, Math.max(0, isBeforeIt ? offset - limit : offset + limit)]) {
              const page = await storage().projects.projects.list({ ...query, offset: at, limit })
              expect(page.total).toBe(ids.length)
              expect(page.projects.map(({ id }) => id)).toStrictEqual(ids.slice(at, at + limit))
            }
          })
          await fc.assert(property, { numRuns: 60 })
        }
        await compare()
        const changed = projects[THOUSANDS / 2] as NewProject
        await storage().transaction((tx) =>
          tx.projects.projects.change(changed.uniqueCode, { name: 'a first', status: 'approved' }, clockStart),
        )
        projects[THOUSANDS / 2] = { ...changed, name: 'a first', status: 'approved', updatedAt: clockStart }
        await compare()
      },
      PATIENCE,
    )

    it('follow every change', async () => {
      const { id: customerId } = await givenCustomer(storage())
      const [one, other] = [
        await givenProject(storage(), { customerId, name: 'Mill' }),
        await givenProject(storage(), { customerId, name: 'Forge' }),
      ]
      const list = (query: Partial<ProjectQuery>) => idsOf({ ...plainQuery, ...query, filters: { customerId, ...query.filters } })
      const all = async (query: Partial<ProjectQuery>) => {
        const ids = await list(query)
        const filters = { customerId, ...query.filters }
        expect((await storage().projects.projects.list({ ...plainQuery, ...query, filters })).total).toBe(ids.length)
        return ids
      }
      expect(await all({ needle: 'mill' })).toStrictEqual([one.id])
      expect(await all({ filters: { status: 'pending' } })).toHaveLength(2)
      await storage().transaction((tx) =>
        tx.projects.projects.change(one.uniqueCode, { name: 'Foundry', status: 'approved' }, clockStart + 1),
      )
      expect(await all({ needle: 'mill' })).toStrictEqual([])
      expect(await all({ needle: 'fo' })).toHaveLength(2)
      expect(await all({ filters: { status: 'pending' } })).toStrictEqual([other.id])
      expect(await all({ filters: { status: 'approved' } })).toStrictEqual([one.id])
      await storage().transaction((tx) =>
        tx.projects.projects.change(other.uniqueCode, { description: 'mill', progress: 'delivering' }, clockStart + 2),
      )
      expect(await all({ needle: 'mill' })).toStrictEqual([other.id])
      expect(await all({ filters: { progress: 'delivering' } })).toStrictEqual([other.id])
      await storage().transaction((tx) => tx.projects.projects.remove(other.uniqueCode, null, clockStart + 3))
      expect(await all({})).toStrictEqual([one.id])
      expect(await all({ needle: 'fo' })).toStrictEqual([one.id])
      expect(await all({ filters: { status: 'pending' } })).toStrictEqual([])
    })

    it('count all projects when there is no filter', async () => {
      const total = await totalOf(storage(), {})
      const { uniqueCode } = await givenProject(storage())
      expect(await totalOf(storage(), {})).toBe(total + 1)
      await storage().transaction((tx) => tx.projects.projects.remove(uniqueCode, null, clockStart))
      expect(await totalOf(storage(), {})).toBe(total)
    })

    it('do not show changes of a failed transaction', async () => {
      const { id: customerId } = await givenCustomer(storage())
      const { uniqueCode } = await givenProject(storage(), { customerId, name: 'Mill' })
      const query = { ...plainQuery, filters: { customerId } }
      const failing = storage().transaction(async (tx) => {
        await tx.projects.projects.change(uniqueCode, { name: 'Forge', status: 'approved' }, clockStart)
        expect((await tx.projects.projects.list({ ...query, needle: 'forge' })).total).toBe(1)
        throw new Error('after all')
      })
      await expect(failing).rejects.toThrow('after all')
      expect((await storage().projects.projects.list({ ...query, needle: 'forge' })).total).toBe(0)
      expect((await storage().projects.projects.list({ ...query, needle: 'mill' })).total).toBe(1)
      expect(await totalOf(storage(), { customerId, status: 'approved' })).toBe(0)
    })
  })
}
