import type { MigratedStorage, NewProject } from '@countersign/core/storage'
import { aCustomer, aNewUser, aProject, clockStart as now } from '@countersign/core/testing'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

const MANY = 256

const openFilled = async (count: number) => {
  const path = temporaryPath()
  const storage = await openMigrated(path)
  const [user] = await storage.users.create([aNewUser()])
  if (user === undefined) throw new Error('the email is taken')
  const customer = aCustomer()
  await storage.projects.customers.add(customer)
  let created = 0
  const create = async (count: number, name: (number: number) => string): Promise<readonly NewProject[]> => {
    const projects = Array.from({ length: count }, (_, number) =>
      aProject({ customerId: customer.id, creatorId: user.id, name: name(number), createdAt: now + created++ }),
    )
    await storage.transaction(async (tx) => {
      for (const project of projects) await tx.projects.projects.create(project, 1, () => project.uniqueCode)
    })
    return projects
  }
  const projects = await create(count, (number) => `mill of number ${number}`)
  const connection = new Sqlite(path)
  onTestFinished(() => void connection.close())
  const indexed = () => connection.prepare('select count(*) from countersign_project_search_docsize').pluck().get()
  const waiting = () => connection.prepare('select count(*) from countersign_projects_to_index').pluck().get()
  return { storage, projects, create, indexed, waiting }
}

const search = (storage: MigratedStorage, needle: string, filters = {}) =>
  storage.projects.projects.list({ filters, needle, sort: 'created_at', direction: 'desc', offset: 0, limit: 100 })

const totalOf = async (storage: MigratedStorage, needle: string): Promise<number> => (await search(storage, needle)).total

describe('the search index', () => {
  it('follows changes of projects', async () => {
    const { storage, projects, create } = await openFilled(MANY)
    const [later] = await create(2, () => 'forge')
    const last = projects.at(-1)
    for (const project of [projects[3], last, later]) {
      await storage.transaction((tx) => tx.projects.projects.change(project?.uniqueCode ?? '', { name: 'windmill' }, now))
    }
    expect((await search(storage, 'windmill')).projects.map(({ id }) => id).toSorted()).toStrictEqual(
      [projects[3], last, later].map((project) => project?.id).toSorted(),
    )
    expect(await totalOf(storage, 'number 3')).toBe(10)
    expect(await totalOf(storage, 'forge')).toBe(1)
  })

  it('counts the matches of a common text in steps, so that other callers can run', async () => {
    const { storage, create } = await openFilled(MANY)
    await create(10_003, (number) => `mill of late ${number}`)
    let turns = 0
    const takeTurns = (): void => {
      turns += 1
      waiting = setImmediate(takeTurns)
    }
    let waiting = setImmediate(takeTurns)
    expect(await totalOf(storage, 'mill of')).toBe(MANY + 10_003)
    clearImmediate(waiting)
    expect(turns).toBeGreaterThanOrEqual(2)
    expect(await totalOf(storage, 'of late')).toBe(10_003)
  })

  it('drops removed projects, including the newest, and stays correct afterwards', async () => {
    const { storage, projects, create, indexed } = await openFilled(MANY)
    for (const project of projects.slice(-2).toReversed()) {
      await storage.transaction((tx) => tx.projects.projects.remove(project.uniqueCode, null, now))
    }
    expect(await totalOf(storage, 'mill of')).toBe(MANY - 2)
    await create(MANY, (number) => `forge ${number}`)
    expect(indexed()).toBe(2 * MANY - 2)
    expect(await totalOf(storage, 'mill of')).toBe(MANY - 2)
    expect(await totalOf(storage, 'forge')).toBe(MANY)
  })

  it('finds a page near either end of a list, wherever the matches are', async () => {
    const { storage, create } = await openFilled(0)
    const matching = await create(60, (number) => `windmill ${number}`)
    await create(2940, (number) => `forge ${number}`)
    const list = (direction: 'asc' | 'desc', offset: number) =>
      storage.projects.projects.list({ filters: {}, needle: 'windmill', sort: 'unique_code', direction, offset, limit: 1 })
    const codes = matching.map(({ uniqueCode }) => uniqueCode).toSorted()
    for (const direction of ['asc', 'desc'] as const) {
      const inOrder = direction === 'asc' ? codes : codes.toReversed()
      for (const offset of [0, 1, 30, 59, 60]) {
        const { total, projects } = await list(direction, offset)
        expect(total).toBe(60)
        expect(projects.map(({ uniqueCode }) => uniqueCode)).toStrictEqual(inOrder.slice(offset, offset + 1))
      }
    }
  })

  it('finds texts of any script, including characters that its tokenizer cannot distinguish', async () => {
    const { storage, create } = await openFilled(MANY)
    await create(4, (number) => ['\u{1D54F}\u{1D550}\u{1D551}', 'a\uFFFEb', 'a\uFFFFb', 'a\uFFFDb'][number] as string)
    for (const needle of ['\u{1D54F}\u{1D550}\u{1D551}', 'a\uFFFEb', 'a\uFFFFb', 'a\uFFFDb']) {
      expect(await totalOf(storage, needle)).toBe(1)
    }
  })
})

describe('projects that are not indexed yet', () => {
  it('are found once each, and are indexed as a batch', async () => {
    const { storage, create, indexed, waiting } = await openFilled(31)
    expect([indexed(), waiting()]).toStrictEqual([0, 31])
    expect(await totalOf(storage, 'mill of')).toBe(31)
    await create(1, () => 'mill of number 31')
    expect([indexed(), waiting()]).toStrictEqual([32, 0])
    await create(1, () => 'mill of number 32')
    expect([indexed(), waiting()]).toStrictEqual([32, 1])
    expect(await totalOf(storage, 'mill of')).toBe(33)
    expect(await totalOf(storage, 'number 3')).toBe(4)
  })

  it('are found by their new name and not by their old name', async () => {
    const { storage, projects, create } = await openFilled(3)
    const rename = ({ uniqueCode }: NewProject, name: string) =>
      storage.transaction((tx) => tx.projects.projects.change(uniqueCode, { name }, now))
    const [first, second] = projects as [NewProject, NewProject]
    await rename(first, 'windmill')
    await rename(second, 'watermill')
    await rename(second, 'forge')
    const found = async () => Promise.all(['windmill', 'watermill', 'forge', 'mill of'].map((needle) => totalOf(storage, needle)))
    expect(await found()).toStrictEqual([1, 0, 1, 1])
    await create(64, () => 'foundry')
    expect(await found()).toStrictEqual([1, 0, 1, 1])
  })

  it('are not found after they are removed, before and after indexing', async () => {
    const { storage, projects, create, indexed, waiting } = await openFilled(3)
    const [first] = projects as [NewProject]
    await storage.transaction((tx) => tx.projects.projects.remove(first.uniqueCode, null, now))
    expect([waiting(), await totalOf(storage, 'mill of')]).toStrictEqual([2, 2])
    await create(29, () => 'foundry')
    expect([indexed(), waiting(), await totalOf(storage, 'mill of')]).toStrictEqual([31, 0, 2])
  })

  it('are not indexed by a transaction that fails', async () => {
    const { storage, projects, create, indexed, waiting } = await openFilled(31)
    const { customerId, creatorId } = projects[0] as NewProject
    const failing = storage.transaction(async (tx) => {
      await tx.projects.projects.create(aProject({ customerId, creatorId }), 1, () => 'a code')
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow('given up')
    expect([indexed(), waiting()]).toStrictEqual([0, 31])
    await create(1, () => 'forge')
    expect([indexed(), waiting()]).toStrictEqual([32, 0])
  })
})
