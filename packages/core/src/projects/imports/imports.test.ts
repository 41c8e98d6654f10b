import { describe, expect, it } from 'vitest'
import { createProjectTest } from '../../../test/create-project-test.ts'
import { days } from '../../shared/clock.ts'
import { formatAmount } from '../expenses/amount.ts'
import { InvalidImportLine } from './import-lines.ts'

const DAY_OR_TIMESTAMP = 'incurredAt: must be a date as YYYY-MM-DD, or a timestamp with Z or an offset'

/** Makes lines as a parser returns them, numbered from 1. */
async function* lines(...values: readonly unknown[]) {
  for (const [index, value] of values.entries()) yield { line: index + 1, value }
}

const setUp = async () => {
  const test = await createProjectTest()
  const { uniqueCode: projectCode } = await test.createProject()
  const { resources, expenses, projects } = test.countersign
  const task = { projectCode, type: 'Task', externalId: 'T-1', name: 'Oil', status: 'open' }
  const expense = { projectCode, externalId: 'E-1', category: 'labor', amount: '10.5', currency: 'EUR', incurredAt: '2026-01-31' }
  return { ...test, projects, resources, expenses, projectCode, task, expense }
}

describe('importing resources', () => {
  it('adds new resources and replaces known ones, so that a file can be imported again', async () => {
    const { resources, projects, projectCode, task } = await setUp()
    const file = [task, { ...task, externalId: 'T-2', status: 'done' }, { ...task, type: 'Delivery' }]
    expect(await resources.import({ lines: lines(...file) })).toStrictEqual({ imported: 3, updated: 0 })
    expect(await resources.import({ lines: lines(...file) })).toStrictEqual({ imported: 0, updated: 0 })
    expect(await resources.count({ uniqueCode: projectCode, caller: 'admin' })).toStrictEqual([
      { type: 'Task', count: 1, status: 'done' },
      { type: 'Task', count: 1, status: 'open' },
      { type: 'PurchaseRequest', count: 0, status: 'none' },
      { type: 'PurchaseOrder', count: 0, status: 'none' },
      { type: 'Delivery', count: 1, status: 'open' },
      { type: 'ProductionOrder', count: 0, status: 'none' },
    ])
    expect((await projects.get({ uniqueCode: projectCode, caller: 'admin' })).tasks).toHaveLength(2)
  })

  it('lets each project number its own resources', async () => {
    const { resources, createProject, projectCode, task } = await setUp()
    const { uniqueCode: otherCode } = await createProject()
    const file = [task, { ...task, projectCode: otherCode, status: 'done' }]
    expect(await resources.import({ lines: lines(...file) })).toStrictEqual({ imported: 2, updated: 0 })
    expect(await resources.import({ lines: lines(...file) })).toStrictEqual({ imported: 0, updated: 0 })
    for (const [uniqueCode, status] of [
      [projectCode, 'open'],
      [otherCode, 'done'],
    ] as const) {
      const counts = await resources.count({ uniqueCode, resourceTypes: 'Task', caller: 'admin' })
      expect(counts).toStrictEqual([{ type: 'Task', count: 1, status }])
    }
  })

  it('accepts an empty file', async () => {
    const { resources } = await setUp()
    expect(await resources.import({ lines: lines() })).toStrictEqual({ imported: 0, updated: 0 })
  })

  it('uses the last of several lines about the same resource', async () => {
    const { resources, projectCode, task } = await setUp()
    await resources.import({ lines: lines(task, { ...task, status: 'done' }) })
    expect(await resources.count({ uniqueCode: projectCode, resourceTypes: 'Task', caller: 'admin' })).toStrictEqual([
      { type: 'Task', count: 1, status: 'done' },
    ])
  })

  it.each([
    [{ type: 'Chore' }, 'type: must be one of Task, PurchaseRequest'],
    [{ externalId: '' }, 'externalId: must be text of 1 to 255 characters'],
    [{ name: undefined }, 'name: must be text of 1 to 255 characters'],
    [{ status: 5 }, 'status: must be text of 1 to 255 characters'],
    [{ projectCode: 'PRJ-1999-000001' }, 'projectCode: must be the code of a project'],
  ])('names the invalid line and imports nothing: %j', async (bad, complaint) => {
    const { resources, projectCode, task } = await setUp()
    const attempt = resources.import({ lines: lines(task, { ...task, ...bad }, task) })
    await expect(attempt).rejects.toThrow(InvalidImportLine)
    await expect(attempt).rejects.toThrow(`line 2: ${complaint}`)
    await expect(attempt).rejects.toMatchObject({ kind: 'invalid', line: 2 })
    expect(await resources.count({ uniqueCode: projectCode, resourceTypes: ['Task'], caller: 'admin' })).toMatchObject([
      { count: 0 },
    ])
  })

  it('names the first invalid line, also when a later line breaks another rule', async () => {
    const { resources, task } = await setUp()
    const attempt = resources.import({ lines: lines(task, { ...task, projectCode: 'no such' }, { nonsense: true }) })
    await expect(attempt).rejects.toMatchObject({ line: 2 })
  })

  it.each([null, 'text', 5, [], undefined])('refuses a line that is %j', async (value) => {
    const { resources } = await setUp()
    await expect(resources.import({ lines: lines(value) })).rejects.toMatchObject({ line: 1 })
  })

  it('imports nothing when reading the file fails, and rejects with the error of the reader', async () => {
    const { resources, projectCode, task, storage, clock } = await setUp()
    async function* failing() {
      for (let line = 1; line <= 1500; line += 1) yield { line, value: { ...task, externalId: `T-${line}` } }
      throw new Error('the disk is gone')
    }
    await expect(resources.import({ lines: failing() })).rejects.toThrow('the disk is gone')
    expect((await storage.sweep(clock.now() + days(2))).unfinishedImports ?? 0).toBe(0)
    expect(await resources.count({ uniqueCode: projectCode, resourceTypes: ['Task'], caller: 'admin' })).toMatchObject([
      { count: 0 },
    ])
  })

  it.each([null, 'a line', 7])('refuses lines that are not objects: %j', async (line) => {
    const { resources } = await setUp()
    async function* wrong() {
      yield line as never
    }
    await expect(resources.import({ lines: wrong() })).rejects.toThrow('lines: must be objects with line and value')
  })

  it('refuses lines of a deleted project', async () => {
    const { resources, projects, projectCode, task } = await setUp()
    await projects.remove({ uniqueCode: projectCode, caller: 'admin' })
    await expect(resources.import({ lines: lines(task) })).rejects.toThrow('projectCode: must be the code of a project')
  })

  it('reports progress after each batch, and has at most one batch in memory', async () => {
    const { resources, task } = await setUp()
    const progress: number[] = []
    let ahead = 0
    let most = 0
    async function* many() {
      for (let line = 1; line <= 3500; line += 1) {
        ahead = line - (progress.at(-1) ?? 0)
        most = Math.max(most, ahead)
        yield { line, value: { ...task, externalId: `T-${line}` } }
      }
    }
    expect(await resources.import({ lines: many(), onProgress: (read) => progress.push(read) })).toMatchObject({ imported: 3500 })
    expect(progress).toStrictEqual(Array.from({ length: 14 }, (_, batch) => (batch + 1) * 250))
    expect(most).toBeLessThanOrEqual(1001)
  })
})

describe('importing expenses', () => {
  it('gives exact sums', async () => {
    const { expenses, projectCode, expense } = await setUp()
    const file = [
      { ...expense, amount: '0.1' },
      { ...expense, externalId: 'E-2', amount: 0.2 },
      { ...expense, externalId: 'E-3', category: 'materials', amount: '99999999999999.9999' },
      { ...expense, externalId: 'E-4', category: 'materials', amount: '-0.0001' },
    ]
    expect(await expenses.import({ lines: lines(...file) })).toStrictEqual({ imported: 4, updated: 0 })
    expect(await expenses.import({ lines: lines(...file) })).toStrictEqual({ imported: 0, updated: 0 })
    const { byCategory, total, currency } = await expenses.sum({ uniqueCode: projectCode, caller: 'admin' })
    expect(currency).toBe('EUR')
    expect([byCategory.labor, byCategory.materials, byCategory.overhead, total].map(formatAmount)).toStrictEqual([
      '0.3',
      '99999999999999.9998',
      '0',
      '100000000000000.2998',
    ])
  })

  it('lets each project number its own expenses', async () => {
    const { expenses, createProject, projectCode, expense } = await setUp()
    const { uniqueCode: otherCode } = await createProject()
    const file = [expense, { ...expense, projectCode: otherCode, amount: '7' }]
    expect(await expenses.import({ lines: lines(...file) })).toStrictEqual({ imported: 2, updated: 0 })
    expect(await expenses.import({ lines: lines(...file) })).toStrictEqual({ imported: 0, updated: 0 })
    for (const [uniqueCode, total] of [
      [projectCode, '10.5'],
      [otherCode, '7'],
    ] as const) {
      expect(formatAmount((await expenses.sum({ uniqueCode, caller: 'admin' })).total)).toBe(total)
    }
  })

  it.each([
    [{ amount: '1.00001' }, 'amount: must be a decimal number'],
    [{ amount: '1e3' }, 'amount: must be a decimal number'],
    [{ amount: '' }, 'amount: must be a decimal number'],
    [{ amount: '1,5' }, 'amount: must be a decimal number'],
    [{ amount: '100000000000000' }, 'amount: must be a decimal number'],
    [{ amount: 0.1 + 0.2 }, 'amount: must be a decimal number'],
    [{ amount: null }, 'amount: must be a decimal number'],
    [{ currency: 'USD' }, "currency: must be the project's currency, EUR"],
    [{ category: 'travel' }, 'category: must be one of materials, labor, overhead'],
    [{ incurredAt: '31.01.2026' }, DAY_OR_TIMESTAMP],
    [{ incurredAt: '2026-02-30' }, DAY_OR_TIMESTAMP],
    // Both are ISO 8601, but one has no time zone and the other has no hyphens.
    [{ incurredAt: '2026-01-01T00:00:00' }, DAY_OR_TIMESTAMP],
    [{ incurredAt: '20260101' }, DAY_OR_TIMESTAMP],
  ])('names the invalid line and imports nothing: %j', async (bad, complaint) => {
    const { expenses, projectCode, expense } = await setUp()
    const attempt = expenses.import({ lines: lines(expense, { ...expense, ...bad }) })
    await expect(attempt).rejects.toThrow(`line 2: ${complaint}`)
    expect((await expenses.sum({ uniqueCode: projectCode, caller: 'admin' })).total).toBe(0n)
  })
})
