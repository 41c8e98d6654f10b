import { beforeEach, describe, expect, it } from 'vitest'
import { createProjectApp, type ProjectApp } from '../../testing/project-app.ts'

async function* linesOf(values: readonly Readonly<Record<string, unknown>>[]) {
  for (const [index, value] of values.entries()) yield { line: index + 1, value }
}

const importTasks = (test: ProjectApp, projectCode: string) =>
  test.countersign.resources.import({
    lines: linesOf([
      { projectCode, type: 'Task', externalId: 't1', name: 'Dig', status: 'open' },
      { projectCode, type: 'Task', externalId: 't2', name: 'Pour', status: 'open' },
      { projectCode, type: 'Task', externalId: 't3', name: 'Paint', status: 'done' },
      { projectCode, type: 'Delivery', externalId: 't1', name: 'Steel', status: 'on the way' },
    ]),
  })

const anExpense = (projectCode: string, externalId: string, category: string, amount: string) => ({
  projectCode,
  externalId,
  category,
  amount,
  currency: 'EUR',
  incurredAt: '2026-01-02',
})

const NOT_FOUND = { error: { code: 'NOT_FOUND', message: 'Project not found', details: {}, statusCode: 404 } }

let test: ProjectApp
beforeEach(async () => {
  test = await createProjectApp()
})

describe('GET /api/v1/projects/{uniqueCode}', () => {
  it('returns a project with its tasks and no other resource', async () => {
    const project = await test.create()
    await importTasks(test, project.uniqueCode)
    const { status, body } = await test.call('projects.get', { uniqueCode: project.uniqueCode }, { token: test.token })
    expect(status).toBe(200)
    const { data, ...rest } = body as { data: typeof project }
    expect(rest).toEqual({})
    expect(data).toEqual({ ...project, tasks: expect.any(Array) })
    expect(data.tasks.map(({ name, status: state }) => [name, state]).sort()).toEqual([
      ['Dig', 'open'],
      ['Paint', 'done'],
      ['Pour', 'open'],
    ])
  })

  it.each([
    'PRJ-2026-000002',
    'prj-2026-000001',
    ' PRJ-2026-000001',
    "' OR 1=1",
    '__proto__',
    '.',
    'x'.repeat(255),
    'x'.repeat(256),
    '🔐'.repeat(256),
    'a\u0001b',
    'a\nb',
  ])('answers 404 for %j', async (uniqueCode) => {
    await test.create()
    const path = `/api/v1/projects/${uniqueCode === '.' ? '%252E' : encodeURIComponent(uniqueCode)}`
    const { status, body } = await test.send('GET', path, { token: test.token })
    expect([status, body]).toEqual([404, NOT_FOUND])
  })

  it.each(['P-2026.1', '...', 'Brücke 7', '100 %', '%2F', '%2e%2e', 'a?b#c;d&e=f+g', '~:@!$,()*', '漢'.repeat(255)])(
    'returns a project with any code that a host may issue: %s',
    async (uniqueCode) => {
      const test = await createProjectApp({ options: { projectCode: () => uniqueCode } })
      await test.create()
      const path = `/api/v1/projects/${encodeURIComponent(uniqueCode)}`
      const { status, body } = await test.send('GET', path, { token: test.token })
      expect([status, body]).toMatchObject([200, { data: { uniqueCode } }])
      expect((await test.send('PUT', `${path}/approved`, { token: test.token })).status).toBe(200)
    },
  )

  it('refuses a path that is not valid text', async () => {
    for (const uniqueCode of ['a%00b', 'a%FFb']) {
      const { status, body } = await test.send('GET', `/api/v1/projects/${uniqueCode}`, { token: test.token })
      expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }])
    }
  })

  it('takes the code from the path, not from the query', async () => {
    const { uniqueCode } = await test.create()
    const { status } = await test.send('GET', `/api/v1/projects/other?uniqueCode=${uniqueCode}`, { token: test.token })
    expect(status).toBe(404)
  })
})

describe('GET /api/v1/projects/{uniqueCode}/count-resources', () => {
  const counted = async (query: string) => {
    const { uniqueCode } = await test.create()
    await importTasks(test, uniqueCode)
    return test.send('GET', `/api/v1/projects/${uniqueCode}/count-resources${query}`, { token: test.token })
  }

  const tasks = [
    { type: 'Task', count: 1, status: 'done' },
    { type: 'Task', count: 2, status: 'open' },
  ]
  const delivery = { type: 'Delivery', count: 1, status: 'on the way' }
  const none = (type: string) => ({ type, count: 0, status: 'none' })

  it('counts every type by status by default', async () => {
    const { status, body } = await counted('')
    const data = [...tasks, none('PurchaseRequest'), none('PurchaseOrder'), delivery, none('ProductionOrder')]
    expect([status, body]).toEqual([200, { data }])
  })

  it.each([
    ['?resourceTypes[]=Delivery', [delivery]],
    ['?resourceTypes%5B%5D=PurchaseOrder&resourceTypes[]=Task', [none('PurchaseOrder'), ...tasks]],
    ['?resourceTypes[]=Delivery&resourceTypes[]=Delivery', [delivery]],
    ['?resourceTypes=Delivery', [delivery]],
  ])('counts the requested types: %s', async (query, data) => {
    expect((await counted(query)).body).toEqual({ data })
  })

  it('answers 404 for an unknown project', async () => {
    const { status, body } = await test.call('projects.countResources', { uniqueCode: 'x' }, { token: test.token })
    expect([status, body]).toEqual([404, NOT_FOUND])
  })
})

describe('GET /api/v1/projects/{uniqueCode}/expenses_count', () => {
  it('sums exactly and returns every digit', async () => {
    const { uniqueCode } = await test.create()
    await test.countersign.expenses.import({
      lines: linesOf([
        anExpense(uniqueCode, 'e1', 'labor', '99999999999999.9999'),
        anExpense(uniqueCode, 'e2', 'labor', '99999999999999.9999'),
        anExpense(uniqueCode, 'e3', 'materials', '0.1'),
        anExpense(uniqueCode, 'e4', 'materials', '0.2'),
        anExpense(uniqueCode, 'e5', 'overhead', '-0.0001'),
      ]),
    })
    const { status, text } = await test.call('projects.sumExpenses', { uniqueCode }, { token: test.token })
    expect(status).toBe(200)
    expect(text).toBe(
      '{"data":{"totalExpenses":200000000000000.2997,"currency":"EUR",' +
        '"breakdown":{"materials":0.3,"labor":199999999999999.9998,"overhead":-0.0001}}}',
    )
  })

  it('returns zero in the currency of the project when there are no expenses', async () => {
    const { uniqueCode } = await test.create({ currency: 'CHF' })
    const { body } = await test.call('projects.sumExpenses', { uniqueCode }, { token: test.token })
    expect(body).toEqual({
      data: { totalExpenses: 0, currency: 'CHF', breakdown: { materials: 0, labor: 0, overhead: 0 } },
    })
  })

  it('answers 404 for an unknown project', async () => {
    const { status, body } = await test.call('projects.sumExpenses', { uniqueCode: 'x' }, { token: test.token })
    expect([status, body]).toEqual([404, NOT_FOUND])
  })
})
