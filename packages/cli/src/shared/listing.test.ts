import { expect, test } from 'vitest'
import { facts, table } from './listing.ts'
import type { Paint, Screen } from './output.ts'

const plain: Paint = (_, text) => text
const terminal = (columns: number): Screen => ({ paint: plain, columns })
const wide = terminal(200)
const pipe: Screen = { paint: plain, columns: undefined }

test('a listing has a header and one line for each item', () => {
  const text = table([{ id: 1, name: 'Ada\u0007', roles: ['a', 'b'], gone: false, last: null }], 'none')(wide)
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

test('a listing without items is a sentence', () => {
  expect(table([], 'There are no users.')(wide)).toBe('There are no users.')
})

test('a single item has one line for each field', () => {
  expect(facts({ id: 7, email: 'ada@example.com', permissions: [] })(wide)).toBe(
    ['id           7', 'email        ada@example.com', 'permissions  –'].join('\n'),
  )
})

const person = {
  id: 1,
  email: 'ada.lovelace@example.com',
  name: 'Ada King Countess of Lovelace',
  permissions: ['project.read', 'project.update', 'project.approve'],
  disabled: false,
}

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length))

test.each([73, 74, 80, 90, 100, 120])('a listing fits the %d columns of a terminal, and breaks no word', (columns) => {
  const text = table([person, person])(terminal(columns))
  expect(text).toMatch(/^┌/)
  expect(widest(text)).toBeLessThanOrEqual(columns)
  expect(text).not.toContain('…')
  for (const word of ['ada.lovelace@example.com', 'Countess', 'project.approve']) expect(text).toContain(word)
})

test('a listing that fits the terminal keeps its width', () => {
  const text = table([person])(wide)
  expect(text.split('\n')).toHaveLength(5)
  expect(text).toContain('│ project.read, project.update, project.approve │')
})

test('a terminal too narrow for a table shows a block of lines for each item', () => {
  const text = table([person, { ...person, id: 2 }])(terminal(72))
  const block = (id: number) =>
    [
      `id           ${id}`,
      'email        ada.lovelace@example.com',
      'name         Ada King Countess of Lovelace',
      'permissions  project.read, project.update, project.approve',
      'disabled     no',
    ].join('\n')
  expect(text).toBe(`${block(1)}\n\n${block(2)}`)
})

test('the width of wide characters is counted as a terminal shows them', () => {
  const text = table([{ id: '山田'.repeat(10), name: 'x '.repeat(30) }])(terminal(60))
  expect(text).toMatch(/^┌/)
  expect(widest(text)).toBeLessThanOrEqual(60)
  expect(text).toContain('山田'.repeat(10))
})

test('other programs get tab-separated lines with the header first, without borders and without tabs inside values', () => {
  const rows = [{ ...person, name: 'Ada\tKing\nCountess' }, person]
  expect(table(rows)(pipe).split('\n')).toEqual([
    'id\temail\tname\tpermissions\tdisabled',
    '1\tada.lovelace@example.com\tAda\\u0009King\\u000aCountess\tproject.read, project.update, project.approve\tno',
    '1\tada.lovelace@example.com\tAda King Countess of Lovelace\tproject.read, project.update, project.approve\tno',
  ])
  expect(facts({ id: 7, email: 'ada@example.com' })(pipe)).toBe('id\t7\nemail\tada@example.com')
})

test('the colour of a styled cell surrounds its text, and control characters in the text are escaped', () => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`
  const text = table([{ status: { text: 'failed\u001b', style: 'red' } }])({ paint: marked, columns: 200 })
  expect(text).toContain(' <red>failed\\u001b</red> ')
})
