import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser, type TestClient } from '../testing/test-client.ts'

const withProjects = async (count: number) => {
  const given = await createTestClient()
  await logInNewUser(given)
  const { id: customerId } = await given.test.countersign.customers.create({ name: 'ACME', email: 'office@acme.test' })
  const create = (name: string) => {
    // Each project has its own creation time, by which the list is sorted.
    given.test.clock.advance(1)
    return given.client.projects.create({ name, customerId, contractValue: 1, currency: 'EUR' }).then(({ data }) => data)
  }
  for (let index = 1; index <= count; index += 1) await create(`Bridge ${index}`)
  given.sent.length = 0
  return { ...given, create }
}

const namesOf = async (pages: AsyncIterable<{ readonly name: string }>) => {
  const names: string[] = []
  for await (const { name } of pages) names.push(name)
  return names
}

const lists = ({ sent }: TestClient) => sent.filter((line) => line === 'GET /api/v1/projects').length

describe('a list of projects', () => {
  it('is one page when awaited', async () => {
    const given = await withProjects(3)
    const { data, meta } = await given.client.projects.list({ limit: 2, sortBy: 'name', sortOrder: 'asc' })
    expect(data.map(({ name }) => name)).toEqual(['Bridge 1', 'Bridge 2'])
    expect(meta).toEqual({ page: 1, limit: 2, total: 3, totalPages: 2 })
    expect(lists(given)).toBe(1)
  })

  it('is every project of all pages when iterated', async () => {
    const given = await withProjects(5)
    const query = { limit: 2, sortBy: 'name', sortOrder: 'asc' } as const
    const all = ['Bridge 1', 'Bridge 2', 'Bridge 3', 'Bridge 4', 'Bridge 5']
    expect(await namesOf(given.client.projects.list(query))).toEqual(all)
    expect(lists(given)).toBe(3)
    expect(await namesOf(given.client.projects.list({ ...query, page: 2 }))).toEqual(all.slice(2))
    expect(await namesOf(given.client.projects.list({ ...query, page: '3' }))).toEqual(all.slice(4))
    expect(await namesOf(given.client.projects.list({ ...query, page: 9 }))).toEqual([])
    expect(await namesOf(given.client.projects.list({ ...query, search: 'ridge 3' }))).toEqual(['Bridge 3'])
    expect(await namesOf(given.client.projects.list({ ...query, search: 'nothing' }))).toEqual([])
  })

  it('fetches a page only when the iteration reaches the page', async () => {
    const given = await withProjects(3)
    for await (const _ of given.client.projects.list({ limit: 1 })) break
    expect(lists(given)).toBe(1)
  })

  it('yields no project twice if another program creates one during the iteration', async () => {
    const given = await withProjects(4)
    const names: string[] = []
    for await (const { name } of given.client.projects.list({ limit: 2 })) {
      if (names.length === 0) await given.create('Newest')
      names.push(name)
    }
    expect(names).toEqual(['Bridge 4', 'Bridge 3', 'Bridge 2', 'Bridge 1'])
  })

  it('fails if a page fails', async () => {
    const given = await withProjects(3)
    await expect(given.client.projects.list({ limit: 0 })).rejects.toMatchObject({ details: { limit: expect.any(String) } })
    const pages = given.client.projects.list({ limit: 1 })[Symbol.asyncIterator]()
    await pages.next()
    await given.client.auth.logout()
    await expect(pages.next()).rejects.toMatchObject({ status: 401 })
  })
})

describe('a project', () => {
  it('can be created, changed, approved and deleted', async () => {
    const { client, create } = await withProjects(0)
    const { uniqueCode } = await create('Bridge')
    const counted = await client.projects.countResources({ uniqueCode, resourceTypes: ['Task', 'Delivery'] })
    expect(counted.data.map(({ type }) => type).sort()).toEqual(['Delivery', 'Task'])
    expect((await client.projects.sumExpenses({ uniqueCode })).data).toMatchObject({ totalExpenses: 0, currency: 'EUR' })
    expect((await client.projects.update({ uniqueCode, name: 'Bridges' })).data.name).toBe('Bridges')
    expect((await client.projects.setProgress({ uniqueCode, progress: 'bidding' })).data.progress).toBe('bidding')
    expect((await client.projects.approve({ uniqueCode })).data.status).toBe('approved')
    const shown = { name: 'Bridges', progress: 'bidding', documentFileIds: [] }
    expect((await client.projects.get({ uniqueCode })).data).toMatchObject(shown)
    expect((await client.productSchemas.list()).data.schemas.length).toBeGreaterThan(1)
    expect((await client.productSchemas.ofType({ type: 'software' })).data.schemas).toHaveLength(1)
    expect(await client.projects.remove({ uniqueCode })).toBeUndefined()
    await expect(client.projects.get({ uniqueCode })).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})
