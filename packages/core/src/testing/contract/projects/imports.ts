import { expenseCategories } from '@countersign/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Amount } from '../../../projects/records/expense.ts'
import { hours } from '../../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { anExpense, aResource } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenProject } from '../given.ts'

/** A time long before the staged lines of other tests of a shared database. */
const then = Date.UTC(2001, 0, 1)
const anImport = () => randomUuid(systemRandom)
const MOST = 10n ** 18n - 1n

export const importsContract = (storage: () => FullStorage): void => {
  const importAll = async <T>(
    store: {
      stage: (importId: string, entries: readonly T[], now: number) => Promise<void>
      commitImport: (importId: string) => Promise<{ imported: number; updated: number }>
    },
    ...batches: readonly (readonly T[])[]
  ) => {
    const importId = anImport()
    for (const batch of batches) await store.stage(importId, batch, clockStart)
    return store.commitImport(importId)
  }
  const countsOf = async (uniqueCode: string) =>
    [...((await storage().projects.resources.counts(uniqueCode)) ?? [])].sort((a, b) =>
      `${a.type} ${a.status}` < `${b.type} ${b.status}` ? -1 : 1,
    )

  describe('imports of resources', () => {
    it('have no effect before the commit, and take effect together at the commit', async () => {
      const { resources } = storage().projects
      const { id: projectId, uniqueCode } = await givenProject(storage())
      const importId = anImport()
      await resources.stage(importId, [aResource({ projectId }), aResource({ projectId, status: 'done' })], clockStart)
      await resources.stage(importId, [aResource({ projectId, type: 'Delivery' })], clockStart)
      expect(await resources.counts(uniqueCode)).toStrictEqual([])
      expect(await resources.commitImport(importId)).toStrictEqual({ imported: 3, updated: 0 })
      expect(await countsOf(uniqueCode)).toStrictEqual([
        { type: 'Delivery', status: 'open', count: 1 },
        { type: 'Task', status: 'done', count: 1 },
        { type: 'Task', status: 'open', count: 1 },
      ])
    })

    it('replace resources with the same project, type and external id, which keep their ids', async () => {
      const { resources, projects } = storage().projects
      const { id: projectId, uniqueCode } = await givenProject(storage())
      const task = aResource({ projectId })
      await importAll(resources, [task])
      const again = aResource({ projectId, externalId: task.externalId, name: 'Renamed', status: 'done' })
      expect(await importAll(resources, [again])).toStrictEqual({ imported: 0, updated: 1 })
      expect((await projects.byCode(uniqueCode))?.tasks).toStrictEqual([{ id: task.id, name: 'Renamed', status: 'done' }])
    })

    it('store resources of different projects separately, even with the same external id', async () => {
      const { resources, projects } = storage().projects
      const [one, other] = [await givenProject(storage()), await givenProject(storage())]
      const task = aResource({ projectId: one.id })
      const ofOther = aResource({ projectId: other.id, externalId: task.externalId, status: 'done' })
      expect(await importAll(resources, [task, ofOther])).toStrictEqual({ imported: 2, updated: 0 })
      expect(await importAll(resources, [ofOther], [task])).toStrictEqual({ imported: 0, updated: 0 })
      expect((await projects.byCode(one.uniqueCode))?.tasks).toMatchObject([{ id: task.id, status: 'open' }])
      expect((await projects.byCode(other.uniqueCode))?.tasks).toMatchObject([{ id: ofOther.id, status: 'done' }])
    })

    it('use the last of several lines about the same resource, also from different batches', async () => {
      const { id: projectId, uniqueCode } = await givenProject(storage())
      const task = aResource({ projectId, status: 'first' })
      const counts = await importAll(storage().projects.resources, [task], [{ ...task, id: anImport(), status: 'last' }])
      expect(counts).toStrictEqual({ imported: 1, updated: 0 })
      expect(await countsOf(uniqueCode)).toStrictEqual([{ type: 'Task', status: 'last', count: 1 }])
    })

    it('accept a thousand lines in one call, and an empty call', async () => {
      const { id: projectId, uniqueCode } = await givenProject(storage())
      const lines = Array.from({ length: 1000 }, () => aResource({ projectId }))
      expect(await importAll(storage().projects.resources, lines, [])).toStrictEqual({ imported: 1000, updated: 0 })
      const [first, ...others] = lines.map((line) => ({ ...line, id: anImport() }))
      const changed = { ...(first as (typeof lines)[number]), name: 'Renamed' }
      expect(await importAll(storage().projects.resources, [changed, ...others])).toStrictEqual({ imported: 0, updated: 1 })
      expect(await countsOf(uniqueCode)).toStrictEqual([{ type: 'Task', status: 'open', count: 1000 }])
    })
  })

  describe('imports of expenses', () => {
    it('are summed by category, in the currency of the project', async () => {
      const { id: projectId, uniqueCode } = await givenProject(storage(), { currency: 'VND' })
      const none = { currency: 'VND', byCategory: { materials: 0n, labor: 0n, overhead: 0n } }
      expect(await storage().projects.expenses.sums(uniqueCode)).toStrictEqual(none)
      const lines = [
        anExpense({ projectId, amount: 1n }),
        anExpense({ projectId, amount: 20_000n }),
        anExpense({ projectId, category: 'labor', amount: -5n }),
      ]
      expect(await importAll(storage().projects.expenses, lines)).toStrictEqual({ imported: 3, updated: 0 })
      expect(await storage().projects.expenses.sums(uniqueCode)).toStrictEqual({
        currency: 'VND',
        byCategory: { materials: 20_001n, labor: -5n, overhead: 0n },
      })
    })

    it('have no effect when they are discarded', async () => {
      const { expenses } = storage().projects
      const { id: projectId, uniqueCode } = await givenProject(storage())
      const importId = anImport()
      await expenses.stage(importId, [anExpense({ projectId })], clockStart)
      await expenses.discardImport(importId)
      expect(await expenses.commitImport(importId)).toStrictEqual({ imported: 0, updated: 0 })
      expect((await expenses.sums(uniqueCode))?.byCategory.materials).toBe(0n)
    })

    it('have exact sums, also beyond 64 bits', async () => {
      const amount = fc.oneof(
        fc.bigInt({ min: -MOST, max: MOST }),
        fc.constantFrom<Amount>(MOST, -MOST, 0n, 1n, -1n, 999_999_999n, -1_000_000_001n),
      )
      const line = fc.record({ category: fc.constantFrom(...expenseCategories), amount })
      const property = fc.asyncProperty(fc.array(line, { maxLength: 60 }), async (lines) => {
        const { id: projectId, uniqueCode } = await givenProject(storage())
        await importAll(
          storage().projects.expenses,
          lines.map((members) => anExpense({ projectId, ...members })),
        )
        const sumOf = (category: (typeof expenseCategories)[number]) =>
          lines.filter((members) => members.category === category).reduce((sum, members) => sum + members.amount, 0n)
        expect((await storage().projects.expenses.sums(uniqueCode))?.byCategory).toStrictEqual({
          materials: sumOf('materials'),
          labor: sumOf('labor'),
          overhead: sumOf('overhead'),
        })
      })
      await fc.assert(property, { numRuns: 10 })
      await fc.assert(property, {
        numRuns: 1,
        examples: [[Array.from({ length: 60 }, () => ({ category: 'labor', amount: MOST }) as const)]],
      })
    })
  })

  it('imports that were staged a day ago and never committed are deleted by sweeping', async () => {
    const { resources, expenses } = storage().projects
    const { id: projectId } = await givenProject(storage())
    const [old, recent] = [anImport(), anImport()]
    await resources.stage(old, [aResource({ projectId })], then)
    await expenses.stage(old, [anExpense({ projectId })], then)
    await resources.stage(recent, [aResource({ projectId })], then + hours(2))
    expect((await storage().sweep(then + hours(25))).unfinishedImports).toBeGreaterThanOrEqual(2)
    expect(await resources.commitImport(old)).toStrictEqual({ imported: 0, updated: 0 })
    expect(await expenses.commitImport(old)).toStrictEqual({ imported: 0, updated: 0 })
    expect(await resources.commitImport(recent)).toStrictEqual({ imported: 1, updated: 0 })
  })
}
