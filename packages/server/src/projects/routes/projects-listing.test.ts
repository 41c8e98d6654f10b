import { describe, expect, it } from 'vitest'
import { createProjectApp, type ProjectApp } from '../../testing/project-app.ts'

/** Creates three projects, one second apart, that differ in every sort key. */
const withThree = async (): Promise<ProjectApp> => {
  const test = await createProjectApp()
  await test.create({ name: 'Beta tower', contractValue: 30, description: 'Glass' })
  test.clock.advance(1000)
  const { uniqueCode } = await test.create({ name: 'alpha Brücke', contractValue: 10, replyDate: '2026-03-01T00:00:00Z' })
  test.clock.advance(1000)
  await test.create({ name: 'Gamma 100%', contractValue: 20, replyDate: '2026-02-01T00:00:00Z' })
  test.clock.advance(1000)
  await test.ask('projects.update', { uniqueCode, progress: 'bidding', status: 'on_hold' }, { token: test.token })
  return test
}

const namesOf = async (test: ProjectApp, input: Readonly<Record<string, unknown>>): Promise<readonly string[]> => {
  const { data } = await test.ask('projects.list', input, { token: test.token })
  return data.map(({ name }) => name)
}

describe('GET /api/v1/projects', () => {
  it('returns the first page, newest first, each project in list form', async () => {
    const test = await withThree()
    const { status, body } = await test.call('projects.list', {}, { token: test.token })
    expect(status).toBe(200)
    const { data, meta } = body as { data: unknown[]; meta: unknown }
    expect(Object.keys(body as object).sort()).toEqual(['data', 'meta'])
    expect(meta).toEqual({ page: 1, limit: 10, total: 3, totalPages: 1 })
    expect(data).toHaveLength(3)
    expect(data[0]).toEqual({
      id: expect.any(String),
      uniqueCode: 'PRJ-2026-000003',
      name: 'Gamma 100%',
      status: 'pending',
      progress: 'technical_negotiating',
      contractValue: 20,
      currency: 'EUR',
      description: '',
      replyDate: '2026-02-01T00:00:00.000Z',
      customerId: test.customerId,
      creatorId: String(test.user.id),
      createdAt: '2026-01-05T09:00:02.000Z',
      updatedAt: '2026-01-05T09:00:02.000Z',
    })
  })

  it('is empty when there are no projects', async () => {
    const test = await createProjectApp()
    const { body } = await test.call('projects.list', {}, { token: test.token })
    expect(body).toEqual({ data: [], meta: { page: 1, limit: 10, total: 0, totalPages: 0 } })
  })

  it('is split into pages: the last may be short, and later pages are empty', async () => {
    const test = await withThree()
    const page = async (number: number) => {
      const { data, meta } = await test.ask('projects.list', { page: number, limit: 2 }, { token: test.token })
      expect(meta).toEqual({ page: number, limit: 2, total: 3, totalPages: 2 })
      return data.map(({ name }) => name)
    }
    expect(await page(1)).toEqual(['Gamma 100%', 'alpha Brücke'])
    expect(await page(2)).toEqual(['Beta tower'])
    expect(await page(3)).toEqual([])
    expect(await page(90_000_000_000)).toEqual([])
    expect(await page(90_071_992_547_410)).toEqual([])
    expect(await page(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  it.each(['9007199254740992', '9'.repeat(20), '9'.repeat(5000)])(
    'accepts a page number beyond all others, %#, and returns the largest exact JSON number',
    async (page) => {
      const test = await withThree()
      const { status, text } = await test.send('GET', `/api/v1/projects?page=${page}&limit=100`, { token: test.token })
      expect([status, text]).toEqual([200, '{"data":[],"meta":{"page":9007199254740991,"limit":100,"total":3,"totalPages":1}}'])
    },
  )

  it.each([
    [{ sortBy: 'created_at', sortOrder: 'asc' }, ['Beta tower', 'alpha Brücke', 'Gamma 100%']],
    [{ sortBy: 'createdAt', sortOrder: 'asc' }, ['Beta tower', 'alpha Brücke', 'Gamma 100%']],
    [{ sortBy: 'updated_at' }, ['alpha Brücke', 'Gamma 100%', 'Beta tower']],
    [{ sortBy: 'name', sortOrder: 'asc' }, ['Beta tower', 'Gamma 100%', 'alpha Brücke']],
    [{ sortBy: 'uniqueCode', sortOrder: 'desc' }, ['Gamma 100%', 'alpha Brücke', 'Beta tower']],
    [{ sortBy: 'contract_value', sortOrder: 'asc' }, ['alpha Brücke', 'Gamma 100%', 'Beta tower']],
    [{ sortBy: 'replyDate', sortOrder: 'asc' }, ['Gamma 100%', 'alpha Brücke', 'Beta tower']],
    [{ sortBy: 'status', sortOrder: 'asc' }, ['alpha Brücke', 'Beta tower', 'Gamma 100%']],
    [{ sortBy: 'progress', sortOrder: 'asc' }, ['alpha Brücke', 'Beta tower', 'Gamma 100%']],
  ])('is sorted by %j', async (sorting, names) => {
    expect(await namesOf(await withThree(), sorting)).toEqual(names)
  })

  it.each([
    [{ status: 'on_hold' }, ['alpha Brücke']],
    [{ status: 'approved' }, []],
    [{ progress: 'technical_negotiating' }, ['Gamma 100%', 'Beta tower']],
    [{ progress: 'bidding', status: 'pending' }, []],
    [{ customerId: 'nobody' }, []],
    [{ search: 'TOWER' }, ['Beta tower']],
    [{ search: 'brÜCKE' }, ['alpha Brücke']],
    [{ search: 'glass' }, ['Beta tower']],
    [{ search: '%' }, ['Gamma 100%']],
    [{ search: '0%' }, ['Gamma 100%']],
    [{ search: '_' }, []],
    [{ search: '"' }, []],
    [{ search: 'tower glass' }, []],
    [{ search: 'a', limit: 1 }, ['Gamma 100%']],
    [{ search: 'a', status: 'on_hold' }, ['alpha Brücke']],
  ])('is filtered by %j', async (filter, names) => {
    expect(await namesOf(await withThree(), filter)).toEqual(names)
  })
})

describe('the query of a project list', () => {
  it.each([
    ['page=0', 'page: must be an integer of at least 1'],
    ['page=-1', 'page: must be an integer of at least 1'],
    ['page=1.5', 'page: must be an integer of at least 1'],
    ['page=1e3', 'page: must be an integer of at least 1'],
    ['page=0x10', 'page: must be an integer of at least 1'],
    ['page[]=1', 'page: must be written as page'],
    ['limit=0', 'limit: must be an integer from 1 to 100'],
    ['limit=101', 'limit: must be an integer from 1 to 100'],
    ['limit=ten', 'limit: must be an integer from 1 to 100'],
    ['sortBy=id', 'sortBy: must be one of created_at, updated_at, name'],
    ['sortBy=name%3Bdrop%20table%20projects', 'sortBy: must be one of created_at, updated_at, name'],
    ['sortBy=constructor', 'sortBy: must be one of created_at, updated_at, name'],
    ['sortOrder=ascending', 'sortOrder: must be one of asc, desc'],
    ['sortOrder=desc%2C1', 'sortOrder: must be one of asc, desc'],
    ['progress=done', 'progress: must be one of technical_negotiating'],
    [`search=${'x'.repeat(201)}`, 'search: must be text of at most 200 characters'],
    ['search=a%01b', 'search: must be text of at most 200 characters'],
    ['search[]=a&search[]=b', 'search: must be written as search'],
    ['search=a%00b', 'search: must not contain NUL'],
    ['search=%FF', 'query: must be percent-encoded UTF-8'],
    ['search=%ED%A0%80', 'query: must be percent-encoded UTF-8'],
    ['page=1&page=2', 'page: must be given once'],
    ['__proto__=1', 'query: must have plain names'],
  ])('%s is refused with 400 and a reason', async (query, message) => {
    const test = await createProjectApp()
    const { status, body, text } = await test.send('GET', `/api/v1/projects?${query}`, { token: test.token })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'VALIDATION_ERROR', statusCode: 400 } })
    const { error } = body as { error: { message: string; details: Record<string, string> } }
    expect(error.message).toContain(message)
    expect(error.details).toEqual({ [message.split(':')[0] ?? '']: error.message.slice(error.message.indexOf(': ') + 2) })
    expect(text).not.toContain('drop')
  })

  it.each([
    'search=',
    "search=' OR 1=1 --",
    'search=%22%20OR%20name%3A*',
    'search=NEAR(a b)',
    'search=\\',
    'search=*',
    `search=${encodeURIComponent('🏗️'.repeat(90))}`,
    'status=pending%27--',
    'customerId=..%2F..',
    'unknown=1&caller=admin',
    'limit=100&page=1&sortOrder=asc',
  ])('%s is accepted', async (query) => {
    const test = await createProjectApp()
    await test.create()
    const { status, body } = await test.send('GET', `/api/v1/projects?${query}`, { token: test.token })
    expect(status).toBe(200)
    const isUnfiltered = query === 'search=' || query.startsWith('unknown') || query.startsWith('limit')
    expect((body as { meta: { total: number } }).meta.total).toBe(isUnfiltered ? 1 : 0)
  })
})
