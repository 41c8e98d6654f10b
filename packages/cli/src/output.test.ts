import { expect, test } from 'vitest'
import { facts, type Paint, paintFor, printable, table, textOf, toJsonLine, withIsoTimestamps } from './output.ts'

const plain: Paint = (_, text) => text

test('colours are used on a terminal that has them, and nowhere else', () => {
  expect(paintFor({ isTTY: true, hasColors: () => true })('red', 'x')).toBe('\u001b[31mx\u001b[39m')
  expect(paintFor({ isTTY: true, hasColors: () => false })('red', 'x')).toBe('x')
  expect(paintFor({ isTTY: false, hasColors: () => true })('red', 'x')).toBe('x')
  expect(paintFor({})('red', 'x')).toBe('x')
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

test('a listing has its head and one line for each thing', () => {
  const text = table([{ id: 1, name: 'Ada\u0007', roles: ['a', 'b'], gone: false, last: null }], { paint: plain, empty: 'none' })
  const lines = text.split('\n').filter((line) => line.startsWith('│'))
  expect(
    lines.map((line) =>
      line
        .split('│')
        .map((cell) => cell.trim())
        .slice(1, -1),
    ),
  ).toEqual([
    ['id', 'name', 'roles', 'gone', 'last'],
    ['1', 'Ada\\u0007', 'a, b', 'no', '–'],
  ])
})

test('a listing of nothing says so', () => {
  expect(table([], { paint: plain, empty: 'There are no users.' })).toBe('There are no users.')
})

test('a single thing has a line for each fact', () => {
  expect(facts({ id: 7, email: 'ada@example.com', permissions: [] }, plain)).toBe(
    ['id           7', 'email        ada@example.com', 'permissions  –'].join('\n'),
  )
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

test('a styled cell is coloured around its text, whose own control characters are not', () => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`
  const text = table([{ status: { text: 'failed\u001b', style: 'red' } }], { paint: marked, empty: '' })
  expect(text).toContain(' <red>failed\\u001b</red> ')
})
