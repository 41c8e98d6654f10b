import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkplace, type Workplace } from '../testing/run-command.ts'

interface Status {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

let here: Workplace
beforeAll(() => {
  here = createWorkplace()
})
afterAll(() => here.remove())

test('what is pending is told, applied once, and then told as applied', async () => {
  const before = (await here.json(['migrate', '--status'])) as Status
  expect(before.applied).toEqual([])
  expect(before.pending.length).toBeGreaterThan(0)

  expect(await here.json(['migrate'])).toEqual({ applied: before.pending })
  expect(await here.json(['migrate'])).toEqual({ applied: [] })
  expect(await here.json(['migrate', '--status'])).toEqual({ applied: before.pending, pending: [] })
})

test('people read the same as a table', async () => {
  const { stdout } = await here.run(['migrate', '--status'])
  expect(stdout).toMatch(/│ migration +│ state +│/)
  expect(stdout).toMatch(/│ 0001-\S+ +│ applied │/)
})
