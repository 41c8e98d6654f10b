import { expect, test } from 'vitest'
import { paintFor, printable, type Screen, screenOf, textOf, toJsonLine, withIsoTimestamps } from './output.ts'

const plain: Screen = { paint: (_, text) => text, columns: undefined }

test('colours are used on a terminal that has them, and nowhere else', () => {
  expect(paintFor({ isTTY: true, hasColors: () => true })('red', 'x')).toBe('\u001b[31mx\u001b[39m')
  expect(paintFor({ isTTY: true, hasColors: () => false })('red', 'x')).toBe('x')
  expect(paintFor({ isTTY: false, hasColors: () => true })('red', 'x')).toBe('x')
  expect(paintFor({})('red', 'x')).toBe('x')
})

test('a screen is as wide as its terminal says; what is no terminal has no width', () => {
  expect(screenOf({ isTTY: true, columns: 70 }).columns).toBe(70)
  expect(screenOf({ isTTY: true, columns: 0 }).columns).toBe(Number.POSITIVE_INFINITY)
  expect(screenOf({ columns: 70 }).columns).toBeUndefined()
})

test('a name that holds control characters cannot act on a terminal', () => {
  expect(printable('a\u001b[2Jb\u009bc\u202ed\ne')).toBe('a\\u001b[2Jb\\u009bc\\u202ed\\u000ae')
  expect(printable('Zoë 山田 ’ 👩‍🔧')).toBe('Zoë 山田 ’ 👩‍🔧')
})

test('sentences cannot act on a terminal either, nor take a line more than they are', () => {
  const name = 'a\u001b[2J\u202e\nApproved b'
  const shown = 'a\\u001b[2J\\u202e\\u000aApproved b'
  expect(textOf({ text: `Deleted ${name}` }, plain)).toBe(`Deleted ${shown}`)
  expect(textOf({ text: ['one', name] }, plain)).toBe(`one\n${shown}`)
})

test('JSON is one line that reads back as the same value, and does nothing to a terminal', () => {
  const value = { name: 'a\u001b[2J\u009b\u2028\u202e"\\ é', none: null, list: [1] }
  const line = toJsonLine(value)
  expect(JSON.parse(line)).toEqual(value)
  expect(line).toMatch(/^[^\p{Cc}\u2028\u202e]*\n$/u)
})

test('instants become ISO 8601 timestamps, and only they', () => {
  expect(withIsoTimestamps({ id: 1, at: 5, createdAt: 0, revokedAt: null, format: 'x' })).toEqual({
    id: 1,
    at: 5,
    createdAt: '1970-01-01T00:00:00.000Z',
    revokedAt: null,
    format: 'x',
  })
})
