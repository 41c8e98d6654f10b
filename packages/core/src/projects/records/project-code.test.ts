import { expect, it } from 'vitest'
import { codeYear, defaultUniqueCode } from './project-code.ts'

it.each([
  [2026, 1, 'PRJ-2026-000001'],
  [2026, 999_999, 'PRJ-2026-999999'],
  [2027, 1_000_000, 'PRJ-2027-1000000'],
])('the code of %d, number %d, is %s', (year, number, code) => {
  expect(defaultUniqueCode({ year, number })).toBe(code)
})

it('the year of a code is the year in UTC', () => {
  expect(codeYear(Date.parse('2026-12-31T23:59:59.999Z'))).toBe(2026)
  expect(codeYear(Date.parse('2027-01-01T00:00:00.000Z'))).toBe(2027)
})
