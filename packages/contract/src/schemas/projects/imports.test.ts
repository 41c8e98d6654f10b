import { describe, expect, it } from 'vitest'
import { importLines } from './imports.ts'

const amount = (value: unknown) => importLines.expense.shape.amount.safeParse(value)
const incurredAt = (value: unknown) => importLines.expense.shape.incurredAt.safeParse(value).success

describe('the amount of a line', () => {
  it.each(['0', '1.5', '-0.0001', '99999999999999.9999', '007'])('is kept as written: %s', (text) => {
    expect(amount(text).data).toBe(text)
  })

  it.each([
    [0, '0'],
    [-1.5, '-1.5'],
    [12_345_678_901.2345, '12345678901.2345'],
  ])('can be a JSON number that a double holds exactly: %d', (number, text) => {
    expect(amount(number).data).toBe(text)
  })

  it.each([
    '',
    '.5',
    '5.',
    '1e3',
    '+1',
    '1,5',
    '1.00001',
    '100000000000000',
    '0x1',
    ' 1',
    '١',
    0.1 + 0.2,
    1e21,
    Number.NaN,
    null,
    {},
  ])('is refused as %j', (value) => {
    expect(amount(value).success).toBe(false)
  })
})

describe('the time of an expense', () => {
  it.each(['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.5+07:00'])('can be %s', (text) => {
    expect(incurredAt(text)).toBe(true)
  })

  it.each(['2026-02-30', '31.01.2026', '2026-01', '2026-01-31T10:00', '', 5, null])('is refused as %j', (text) => {
    expect(incurredAt(text)).toBe(false)
  })
})
