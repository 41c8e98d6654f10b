import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

const MEBIBYTE = 1024 * 1024

const directory = mkdtempSync(join(tmpdir(), 'countersign-lines-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const path = join(directory, 'file')

const partsOf = async (content: string | Uint8Array, onBytes?: (bytes: number) => void) => {
  writeFileSync(path, content)
  const parts: (readonly [firstLine: number, text: string])[] = []
  for await (const { firstLine, bytes, unreadable } of readLines(path, onBytes))
    parts.push([firstLine, unreadable ?? bytes.toString()])
  return parts
}

test('a small file is read as one part, with or without a line feed at its end', async () => {
  expect(await partsOf('')).toEqual([])
  expect(await partsOf('a')).toEqual([[1, 'a']])
  expect(await partsOf('a\n\nb\n')).toEqual([[1, 'a\n\nb\n']])
  expect(await partsOf('a\nb')).toEqual([
    [1, 'a\n'],
    [2, 'b'],
  ])
})

test('a large file is read in parts of whole, numbered lines, which together have the content of the file', async () => {
  const line = `${'é'.repeat(500)}\n`
  const content = line.repeat(1000)
  let bytesRead = 0
  const parts = await partsOf(content, (bytes) => {
    bytesRead = bytes
  })
  expect(parts.length).toBeGreaterThan(5)
  expect(parts.map(([, text]) => text).join('')).toBe(content)
  let expected = 1
  for (const [firstLine, text] of parts) {
    expect(firstLine).toBe(expected)
    expect(text.endsWith('\n')).toBe(true)
    expected += text.split('\n').length - 1
  }
  expect(bytesRead).toBe(Buffer.byteLength(content))
})

test('a byte order mark is removed at the beginning of the file only', async () => {
  expect(await partsOf('\ufeffa\n\ufeffb\n')).toEqual([[1, 'a\n\ufeffb\n']])
})

test('a line that is not UTF-8 is a part of its own with the reason, wherever the bad byte is', async () => {
  const bad = Buffer.from('Zoë\n', 'latin1')
  expect(await partsOf(bad)).toEqual([[1, 'must be UTF-8']])
  expect(await partsOf(Buffer.concat([Buffer.from('a\nb\n'), bad, Buffer.from('c\n')]))).toEqual([
    [1, 'a\n'],
    [2, 'b\n'],
    [3, 'must be UTF-8'],
    [4, 'c\n'],
  ])
  const far = Buffer.from(`${'x'.repeat(99)}\n`.repeat(5000))
  const parts = await partsOf(Buffer.concat([far, bad, far]))
  expect(parts).toContainEqual([5001, 'must be UTF-8'])
  expect(parts.map(([, text]) => text).join('')).toBe(`${far}must be UTF-8${far}`)
})

test('a line of more than 1 MiB is a part of its own with the reason, and the lines around it are read', async () => {
  const tooLong = 'must be at most 1 MiB'
  expect(await partsOf(`a\n${'x'.repeat(MEBIBYTE + 1)}`)).toEqual([
    [1, 'a\n'],
    [2, tooLong],
  ])
  for (const length of [MEBIBYTE + 1, 3 * MEBIBYTE, 3 * MEBIBYTE + 65_535, 3 * MEBIBYTE + 65_536]) {
    const parts = await partsOf(`a\n${'x'.repeat(length)}\nb\n${'y'.repeat(length)}\nc`)
    expect(parts).toEqual([
      [1, 'a\n'],
      [2, tooLong],
      [3, 'b\n'],
      [4, tooLong],
      [5, 'c'],
    ])
  }
})

test.each([
  ['the first line', ''],
  ['a later line', 'a\n'],
])('a line of exactly 1 MiB, without its line feed, is read: %s', async (_, before) => {
  const whole = `${before}${'x'.repeat(MEBIBYTE)}\nb\n`
  expect((await partsOf(whole)).map(([, text]) => text).join('')).toBe(whole)
  const number = before === '' ? 1 : 2
  const parts = await partsOf(`${before}${'x'.repeat(MEBIBYTE + 1)}\nb\n`)
  expect(parts.slice(-2)).toEqual([
    [number, 'must be at most 1 MiB'],
    [number + 1, 'b\n'],
  ])
})
