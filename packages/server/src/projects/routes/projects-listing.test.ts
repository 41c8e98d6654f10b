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
})

describe('the query of a project list', () => {
  it('is refused with 400 and the reasons', async () => {
    const test = await createProjectApp()
    const sent = await test.send('GET', '/api/v1/projects?page=0x10&sortBy=name%3Bdrop%20table%20projects', { token: test.token })
    const details = { page: 'must be an integer of at least 1', sortBy: expect.stringMatching(/^must be one of created_at, /) }
    expect([sent.status, sent.body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR', statusCode: 400, details } }])
    expect(sent.text).not.toContain('drop')
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
