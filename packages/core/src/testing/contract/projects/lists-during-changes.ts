import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenCustomer, givenProject } from '../given.ts'
import { plainQuery } from './expected-list.ts'

const PROJECTS = 12
const LISTS = 40

/** A search term that is too short for the search index. The storage visits every project, and other work runs meanwhile. */
const NEEDLE = 'mi'

export const listsAmidChangesContract = (storage: () => FullStorage): void => {
  describe('lists of projects during concurrent changes', () => {
    it('are consistent at every reading', async () => {
      const { id: customerId } = await givenCustomer(storage())
      const codes: string[] = []
      for (let index = 0; index < PROJECTS; index += 1) {
        codes.push((await givenProject(storage(), { customerId, name: 'Mill' })).uniqueCode)
      }
      let isOver = false
      const keepChanging = async () => {
        for (let count = 0; !isOver; count += 1) {
          const name = Math.floor(count / PROJECTS) % 2 === 0 ? 'Forge' : 'Mill'
          const uniqueCode = codes[count % PROJECTS] as string
          await storage().transaction((tx) => tx.projects.projects.change(uniqueCode, { name }, clockStart + count))
        }
      }
      const changing = keepChanging()
      const totals = new Set<number>()
      try {
        for (let count = 0; count < LISTS; count += 1) {
          const query = { ...plainQuery, filters: { customerId }, needle: NEEDLE, sort: 'name' } as const
          const { projects, total } = await storage().projects.projects.list(query)
          expect(projects.map(({ name }) => name)).toStrictEqual(Array(total).fill('Mill'))
          totals.add(total)
          // SQLite answers a list within one turn of the event loop, so that changes need a turn of their own.
          await setImmediate()
        }
      } finally {
        isOver = true
        await changing
      }
      // Guards against a test without concurrent changes.
      expect(totals.size).toBeGreaterThan(1)
    })
  })
}
