import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProjectWorkplace, type ProjectWorkplace } from '../testing/project-workplace.ts'

let here: ProjectWorkplace
beforeAll(async () => {
  here = await createProjectWorkplace()
})
afterAll(() => here.close())

const HEADER = 'projectCode,externalId,category,amount,currency,incurredAt'

const sums = (uniqueCode: string) => here.server.countersign.expenses.sum({ uniqueCode, caller: 'admin' })

test('expenses are imported with every digit, and a repeated line replaces the expense', async () => {
  const { uniqueCode } = await here.create('Bridge')
  const lineOf = (id: string, category: string, amount: string) => `${uniqueCode},${id},${category},${amount},EUR,2026-01-31`
  const lines = [lineOf('e1', 'labor', '12345678901234.5678'), lineOf('e2', 'materials', '0.1'), lineOf('e3', 'materials', '0.2')]
  const file = here.write('expenses.csv', `${[HEADER, ...lines].join('\r\n')}\r\n`)
  expect(await here.json(['expense', 'import', file])).toEqual({ imported: 3, updated: 0 })
  expect(await sums(uniqueCode)).toMatchObject({
    total: 123_456_789_012_348_678n,
    byCategory: { labor: 123_456_789_012_345_678n, materials: 3000n, overhead: 0n },
  })

  const again = JSON.stringify({
    projectCode: uniqueCode,
    externalId: 'e1',
    category: 'overhead',
    amount: -2.5,
    currency: 'EUR',
    incurredAt: '2026-01-31T10:00:00+02:00',
  })
  expect(await here.json(['expense', 'import', here.write('again.ndjson', again)])).toEqual({ imported: 0, updated: 1 })
  expect(await sums(uniqueCode)).toMatchObject({ byCategory: { labor: 0n, materials: 3000n, overhead: -25_000n } })
})

test.each([
  ['labor,7,USD,2026-01-31', "currency: must be the project's currency, EUR"],
  ['labor,7.00001,EUR,2026-01-31', 'amount: must be a decimal number'],
  ['labor,1e3,EUR,2026-01-31', 'amount: must be a decimal number'],
  ['labor,7,EUR,31.01.2026', 'incurredAt: must be a date as YYYY-MM-DD, or a timestamp with Z or an offset'],
  ['fun,7,EUR,2026-01-31', 'category: must be one of materials, labor, overhead'],
])('an expense of %s is refused with its line number, and nothing of the file is imported', async (fields, message) => {
  const { uniqueCode } = await here.create('Tunnel')
  const good = `${uniqueCode},g1,labor,1,EUR,2026-01-31`
  const { code, stdout, stderr } = await here.run([
    'expense',
    'import',
    here.write('bad.csv', `${HEADER}\n${good}\n${uniqueCode},b1,${fields}\n`),
  ])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`error: line 3: ${message}`)
  expect((await sums(uniqueCode)).total).toBe(0n)
})

test('a file of many lines is imported whole, with few lines in memory at a time', async () => {
  const { uniqueCode } = await here.create('Harbour')
  const lines = Array.from({ length: 20_000 }, (_, index) => `${uniqueCode},many-${index},labor,0.0001,EUR,2026-01-31`)
  const file = here.write('many.csv', `${HEADER}\n${lines.join('\n')}\n`)
  expect(await here.json(['expense', 'import', file])).toEqual({ imported: 20_000, updated: 0 })
  expect((await sums(uniqueCode)).total).toBe(20_000n)
})
