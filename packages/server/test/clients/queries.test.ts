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

  it('a list can have one entry, and an empty list is ignored', async () => {
    expect(typesOf((await get(`/${uniqueCode}/count-resources?resourceTypes=Task`)).body)).toEqual(['Task'])
    expect(typesOf((await get(`/${uniqueCode}/count-resources?resourceTypes[]=`)).body)).toHaveLength(5)
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

  it('sends filters without a value as empty', async () => {
    const { data } = await axios.get(`${server.url}/api/v1/projects`, {
      headers: { Authorization: `Bearer ${test.token}` },
      params: { status: '', progress: null, customerId: undefined, page: '', sortOrder: 'ASC' },
    })
    expect((data as { data: unknown[] }).data).toHaveLength(2)
  })
})
