import { describe, expect, it } from 'vitest'
import { shapes } from '../../shapes.ts'
import { projectSortKeys } from '../../vocabulary.ts'
import { projectErrorBody } from './projects.ts'

const list = (query: unknown) => shapes['projects.list'].input.safeParse(query)
const create = (body: object) =>
  shapes['projects.create'].input.safeParse({ name: 'A mill', customerId: 'c-1', contractValue: 1, currency: 'EUR', ...body })

describe('the query of the list of projects', () => {
  it('has a default for every member', () => {
    expect(list({}).data).toStrictEqual({ page: 1, limit: 10, sortBy: 'created_at', sortOrder: 'desc' })
  })

  it('accepts numbers as text, as in a query, and as numbers', () => {
    expect(list({ page: '3', limit: '100' }).data).toMatchObject({ page: 3, limit: 100 })
    expect(list({ page: 3, limit: 100 }).data).toMatchObject({ page: 3, limit: 100 })
  })

  it.each(['0', '-1', '+1', '1.0', '1e2', ' 1', '', '١', 'NaN', ['1'], null, 1.5, Number.POSITIVE_INFINITY])(
    'has no page %j',
    (page) => {
      expect(list({ page }).success).toBe(false)
    },
  )

  it.each(['90071992547410', '9007199254740991', 90_071_992_547_410])('accepts page %j', (page) => {
    expect(list({ page, limit: '100' }).data?.page).toBe(Number(page))
  })

  it.each(['9007199254740992', '9'.repeat(20), '9'.repeat(16_000), 2 ** 53, 1e300])(
    'takes a page beyond the largest exact JSON number as that number, %#',
    (page) => {
      expect(list({ page }).data?.page).toBe(Number.MAX_SAFE_INTEGER)
    },
  )

  it.each(['101', '9007199254740992', '9'.repeat(40), 1e300])('refuses a page size of %j', (limit) => {
    expect(list({ limit }).error?.issues).toMatchObject([{ path: ['limit'], message: 'must be an integer from 1 to 100' }])
  })

  it.each(projectSortKeys)('sorts by %s in both spellings', (key) => {
    const camelCase = key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    expect([list({ sortBy: key }).data?.sortBy, list({ sortBy: camelCase }).data?.sortBy]).toStrictEqual([key, key])
  })

  it.each(['id', 'CREATED_AT', 'created_at desc', 'constructor', '__proto__', ''])('refuses to sort by %j', (sortBy) => {
    expect(list({ sortBy }).success).toBe(false)
  })
})

describe('the body of a new project', () => {
  it.each([
    '2026-01-31T09:30Z',
    '2026-01-31T09:30+07:00',
    '2026-01-31T09:30:00Z',
    '2026-01-31T09:30:00.123Z',
    '2026-01-31T09:30:00.123456789Z',
    '2026-01-31T09:30:00+07:00',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])('accepts the time %s', (replyDate) => {
    expect(create({ replyDate }).success).toBe(true)
  })

  it.each([
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-01-31T09:30',
    '2026-01-31T09Z',
    '2026-02-30T00:00Z',
    '2026-02-30T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '1769850600',
    'now',
    1769850600,
    null,
  ])('refuses the time %j', (replyDate) => {
    expect(create({ replyDate }).success).toBe(false)
  })

  it.each(['a', '漢', '🔐', 'x'.repeat(255), '🔐'.repeat(255), 'tab\tand\nline'])('accepts the name %j', (name) => {
    expect(create({ name }).success).toBe(true)
  })

  it.each([
    '',
    'x'.repeat(256),
    '🔐'.repeat(256),
    'nul\u0000',
    'bell\u0007',
    'separator\u0001',
    'next\u0085',
    'half\uD800',
    5,
    null,
  ])('refuses the name %j', (name) => {
    expect(create({ name }).success).toBe(false)
  })

  it.each(['', 'x'.repeat(256), 'bell\u0007'])('accepts the product type %j, which the registry checks later', (productType) => {
    expect(create({ products: [{ name: 'x', productType, attributes: {} }] }).success).toBe(true)
  })

  it.each([undefined, null, 5, ['software']])('refuses the product type %j', (productType) => {
    expect(create({ products: [{ name: 'x', productType, attributes: {} }] }).error?.issues).toMatchObject([
      { path: ['products', 0, 'productType'], message: 'must be a registered product type' },
    ])
  })

  it('keeps the attributes of products unchanged', () => {
    const attributes = { a: { 'b.c': [1, null, '\u0000'] }, constructor: 1 }
    const { data } = create({ products: [{ name: 'x', productType: 'software', attributes, extra: 1 }] })
    expect(data?.products).toEqual([{ name: 'x', productType: 'software', attributes }])
  })

  it('drops unknown members', () => {
    expect(create({ id: 'x', status: 'approved', creatorId: 7, uniqueCode: 'PRJ-1' }).data).toStrictEqual({
      name: 'A mill',
      customerId: 'c-1',
      contractValue: 1,
      currency: 'EUR',
    })
  })

  it.each([
    [{ products: Array.from({ length: 1001 }, () => ({ name: 'x', productType: 'x', attributes: {} })) }, 'products'],
    [{ participantIds: Array.from({ length: 1001 }, () => '1') }, 'participantIds'],
    [{ documentFileIds: Array.from({ length: 1001 }, () => '1') }, 'documentFileIds'],
  ])('has at most 1000 items in each list', (body, field) => {
    expect(create(body).error?.issues[0]?.path).toStrictEqual([field])
  })
})

describe('the resource types of a count', () => {
  const count = (resourceTypes: unknown) => shapes['projects.countResources'].input.safeParse({ uniqueCode: 'x', resourceTypes })

  it('can be one type or several; without any, all types are counted', () => {
    expect(count('Task').data?.resourceTypes).toStrictEqual(['Task'])
    expect(count(['Delivery', 'Task', 'Delivery']).data?.resourceTypes).toStrictEqual(['Delivery', 'Task'])
    expect(count(undefined).data?.resourceTypes).toBeUndefined()
  })

  it('are counted once each, however often the request names them', () => {
    const types = Array.from({ length: 10_000 }, (_, at) => (at % 2 === 0 ? 'Task' : 'Delivery'))
    expect(count(types).data?.resourceTypes).toStrictEqual(['Task', 'Delivery'])
  })

  it.each(['task', ['Task', 'Chore'], '', 5, null])('are refused as %j', (types) => {
    expect(count(types).success).toBe(false)
  })
})

describe('the code of a project', () => {
  const codeOf = (uniqueCode: unknown) => shapes['projects.get'].input.safeParse({ uniqueCode }).data?.uniqueCode

  it.each(['PRJ-2026-000001', 'x'.repeat(256), 'bell\u0007', ''])('is looked up as written: %j', (code) => {
    expect(codeOf(code)).toBe(code)
  })

  it.each(['nul\u0000', 'half\uD800'])('is answered as unknown, because no database can store the code: %j', (code) => {
    expect(codeOf(code)).toBe('')
  })

  it.each([undefined, null, 7, ['x']])('is refused as %j', (code) => {
    expect(shapes['projects.get'].input.safeParse({ uniqueCode: code }).success).toBe(false)
  })
})

it('the `error` of an error body is an object, or a text for product attributes', () => {
  const error = { code: 'NOT_FOUND', message: 'Project not found', details: {}, statusCode: 404 }
  expect(projectErrorBody.parse({ error })).toStrictEqual({ error })
  expect(projectErrorBody.parse({ error: "validation failed for product 'x': a: is required" })).toBeDefined()
  expect(projectErrorBody.safeParse({ error: { ...error, code: 'OOPS' } }).success).toBe(false)
})
