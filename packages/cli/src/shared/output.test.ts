import { expect, test } from 'vitest'
import { paintFor, printable, type Screen, screenOf, textOf, toJsonLine, withIsoTimestamps } from './output.ts'

const plain: Screen = { paint: (_, text) => text, columns: undefined }

test('colours are used only on a terminal that has colours', () => {
  expect(paintFor({ isTTY: true, hasColors: () => true })('red', 'x')).toBe('\u001b[31mx\u001b[39m')
  expect(paintFor({ isTTY: true, hasColors: () => false })('red', 'x')).toBe('x')
  expect(paintFor({ isTTY: false, hasColors: () => true })('red', 'x')).toBe('x')
  expect(paintFor({})('red', 'x')).toBe('x')
})

test('lines are at most as wide as the terminal; without a terminal their width has no limit', () => {
  expect(screenOf({ isTTY: true, columns: 70 }).columns).toBe(70)
  expect(screenOf({ isTTY: true, columns: 0 }).columns).toBe(Number.POSITIVE_INFINITY)
  expect(screenOf({ columns: 70 }).columns).toBeUndefined()
})

test('control characters in a name are escaped before they reach a terminal', () => {
  expect(printable('a\u001b[2Jb\u009bc\u202ed\ne')).toBe('a\\u001b[2Jb\\u009bc\\u202ed\\u000ae')
  expect(printable('Zoë 山田 ’ 👩‍🔧')).toBe('Zoë 山田 ’ 👩‍🔧')
})

test('control characters in a sentence are escaped, and the sentence stays on one line', () => {
  const name = 'a\u001b[2J\u202e\nApproved b'
  const shown = 'a\\u001b[2J\\u202e\\u000aApproved b'
  expect(textOf({ text: `Deleted ${name}` }, plain)).toBe(`Deleted ${shown}`)
  expect(textOf({ text: ['one', name] }, plain)).toBe(`one\n${shown}`)
})

test('JSON is one line that reads back as the same value, with control characters escaped', () => {
  const value = { name: 'a\u001b[2J\u009b\u2028\u202e"\\ é', none: null, list: [1] }
  const line = toJsonLine(value)
  expect(JSON.parse(line)).toEqual(value)
  expect(line).toMatch(/^[^\p{Cc}\u2028\u202e]*\n$/u)
})

test('times become ISO 8601 timestamps, and nothing else changes', () => {
  expect(withIsoTimestamps({ id: 1, at: 5, createdAt: 0, revokedAt: null, format: 'x' })).toEqual({
    id: 1,
    at: 5,
    createdAt: '1970-01-01T00:00:00.000Z',
    revokedAt: null,
    format: 'x',
  })
})
