import axios from 'axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../src/adapters/node/listen.ts'
import { createProjectApp, type ProjectApp } from '../../src/testing/project-app.ts'
import { startRealServer } from '../../src/testing/real-server.ts'
import { httpClients } from './http-clients.ts'

let test: ProjectApp
let server: Listening
let uniqueCode: string
beforeAll(async () => {
  test = await createProjectApp({ options: { rateLimits: 'off' } })
  server = await startRealServer(test)
  uniqueCode = (await test.create({ name: 'Alpha' })).uniqueCode
  test.clock.advance(1000)
  await test.create({ name: 'Beta' })
})
afterAll(() => server.close(0))

const typesOf = (body: unknown) => (body as { data: { type: string }[] }).data.map(({ type }) => type).sort()

describe.each(httpClients)('a request sent by %s:', (_client, send) => {
  const get = (path: string) => send(server.url, { method: 'GET', path: `/api/v1/projects${path}`, token: test.token })
  const namesOf = async (query: string) => ((await get(query)).body as { data: { name: string }[] }).data.map(({ name }) => name)

  it.each([
    'status=',
    'progress=',
    'customerId=',
    'page=',
    'limit=',
    'sortBy=',
    'sortOrder=',
    'search=',
    'status',
    'page=&status=',
  ])('an empty filter is ignored: %s', async (query) => expect(await namesOf(`?${query}`)).toEqual(['Beta', 'Alpha']))

  it.each(['asc', 'ASC', 'Asc', 'aSC'])('the sort direction is accepted in any case: %s', async (order) => {
    expect(await namesOf(`?sortBy=name&sortOrder=${order}`)).toEqual(['Alpha', 'Beta'])
  })

  it.each([
    'resourceTypes[]=Task&resourceTypes[]=Delivery',
    'resourceTypes%5B%5D=Task&resourceTypes%5b%5d=Delivery',
    'resourceTypes[0]=Task&resourceTypes[1]=Delivery',
    'resourceTypes%5B0%5D=Task&resourceTypes%5B1%5D=Delivery',
    'resourceTypes=Task&resourceTypes=Delivery',
    'resourceTypes=Task&resourceTypes[]=Delivery&resourceTypes[]=',
  ])('a list is accepted as %s', async (query) => {
    const { status, body } = await get(`/${uniqueCode}/count-resources?${query}`)
    expect(status).toBe(200)
    expect(typesOf(body)).toEqual(['Delivery', 'Task'])
  })

  it('a list may have one entry, and an empty list is ignored', async () => {
    expect(typesOf((await get(`/${uniqueCode}/count-resources?resourceTypes=Task`)).body)).toEqual(['Task'])
    expect(typesOf((await get(`/${uniqueCode}/count-resources?resourceTypes[]=`)).body)).toHaveLength(5)
  })

  it.each([
    ['Page=2', 'page'],
    ['PAGE=2', 'page'],
    ['page[]=2', 'page'],
    ['page[number]=2', 'page'],
    ['pages=2', 'page'],
    ['sort_by=name', 'sortBy'],
    ['sortby=name', 'sortBy'],
    ['sort-order=asc', 'sortOrder'],
    ['customer_id=1', 'customerId'],
    ['customerID=1', 'customerId'],
    ['filter[status]=pending', 'status'],
    ['status%20=pending', 'status'],
    ['Status=', 'status'],
  ])('an unknown filter is refused by name: %s', async (query, member) => {
    const { status, body } = await get(`?${query}`)
    expect([status, body]).toMatchObject([400, { error: { details: { [member]: `must be written as ${member}` } } }])
  })

  it.each([
    'resourceTypes[foo]=Task',
    'resourceTypes[][]=Task',
    'resourceType=Task',
    'resource_types=Task',
    'ResourceTypes=Task',
  ])('a malformed list is refused by name: %s', async (query) => {
    const { status, body } = await get(`/${uniqueCode}/count-resources?${query}`)
    const takes = 'must be written as resourceTypes, resourceTypes[] or resourceTypes[0]'
    expect([status, body]).toMatchObject([400, { error: { details: { resourceTypes: takes } } }])
  })

  it('an unknown parameter is ignored, and one parameter cannot be given twice', async () => {
    for (const query of ['?utm_source=mail&_=17', '?utm_source=mail&utm_source=post']) {
      expect(await namesOf(query)).toEqual(['Beta', 'Alpha'])
    }
    expect(await get('?page=1&page=1')).toMatchObject({
      status: 400,
      body: { error: { details: { page: 'must be given once' } } },
    })
  })
})

describe('axios in its usual form', () => {
  it.each([{}, { indexes: true }, { indexes: null }])('sends a list with %j', async (paramsSerializer) => {
    const { data } = await axios.get(`${server.url}/api/v1/projects/${uniqueCode}/count-resources`, {
      headers: { Authorization: `Bearer ${test.token}` },
      params: { resourceTypes: ['Task', 'Delivery'] },
      paramsSerializer,
    })
    expect(typesOf(data)).toEqual(['Delivery', 'Task'])
  })

  it('sends filters that are not set', async () => {
    const { data } = await axios.get(`${server.url}/api/v1/projects`, {
      headers: { Authorization: `Bearer ${test.token}` },
      params: { status: '', progress: null, customerId: undefined, page: '', sortOrder: 'ASC' },
    })
    expect((data as { data: unknown[] }).data).toHaveLength(2)
  })
})
