import { expect, test } from 'vitest'
import { facts, table } from './listing.ts'
import type { Paint, Screen } from './output.ts'

const plain: Paint = (_, text) => text
const terminal = (columns: number): Screen => ({ paint: plain, columns })
const wide = terminal(200)
const pipe: Screen = { paint: plain, columns: undefined }

test('a listing has its head and one line for each thing', () => {
  const text = table([{ id: 1, name: 'Ada\u0007', roles: ['a', 'b'], gone: false, last: null }], { screen: wide, empty: 'none' })
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
  expect(table([], { screen: wide, empty: 'There are no users.' })).toBe('There are no users.')
})

test('a single thing has a line for each fact', () => {
  expect(facts({ id: 7, email: 'ada@example.com', permissions: [] }, wide)).toBe(
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

test.each([73, 74, 80, 90, 100, 120])(
  'a listing takes no more than the %d columns of a terminal, and breaks no word',
  (columns) => {
    const text = table([person, person], { screen: terminal(columns), empty: '' })
    expect(text).toMatch(/^┌/)
    expect(widest(text)).toBeLessThanOrEqual(columns)
    expect(text).not.toContain('…')
    for (const word of ['ada.lovelace@example.com', 'Countess', 'project.approve']) expect(text).toContain(word)
  },
)

test('a listing that fits is not made narrower', () => {
  const text = table([person], { screen: wide, empty: '' })
  expect(text.split('\n')).toHaveLength(5)
  expect(text).toContain('│ project.read, project.update, project.approve │')
})

test('a terminal too narrow for a table shows a block of lines for each thing', () => {
  const text = table([person, { ...person, id: 2 }], { screen: terminal(72), empty: '' })
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

test('wide characters count as wide as they are shown', () => {
  const text = table([{ id: '山田'.repeat(10), name: 'x '.repeat(30) }], { screen: terminal(60), empty: '' })
  expect(text).toMatch(/^┌/)
  expect(widest(text)).toBeLessThanOrEqual(60)
  expect(text).toContain('山田'.repeat(10))
})

test('what goes to another program is tab-separated lines, the head first, without boxes and with tabs nowhere else', () => {
  const rows = [{ ...person, name: 'Ada\tKing\nCountess' }, person]
  expect(table(rows, { screen: pipe, empty: '' }).split('\n')).toEqual([
    'id\temail\tname\tpermissions\tdisabled',
    '1\tada.lovelace@example.com\tAda\\u0009King\\u000aCountess\tproject.read, project.update, project.approve\tno',
    '1\tada.lovelace@example.com\tAda King Countess of Lovelace\tproject.read, project.update, project.approve\tno',
  ])
  expect(facts({ id: 7, email: 'ada@example.com' }, pipe)).toBe('id\t7\nemail\tada@example.com')
})

test('a styled cell is coloured around its text, whose own control characters are not', () => {
  const marked: Paint = (style, text) => `<${style}>${text}</${style}>`
  const text = table([{ status: { text: 'failed\u001b', style: 'red' } }], { screen: { paint: marked, columns: 200 }, empty: '' })
  expect(text).toContain(' <red>failed\\u001b</red> ')
})
