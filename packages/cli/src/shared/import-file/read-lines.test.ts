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
  for await (const { firstLine, bytes } of readLines(path, onBytes)) parts.push([firstLine, bytes.toString()])
  return parts
}

test('a small file is one part, with or without a line feed at its end', async () => {
  expect(await partsOf('')).toEqual([])
  expect(await partsOf('a')).toEqual([[1, 'a']])
  expect(await partsOf('a\n\nb\n')).toEqual([[1, 'a\n\nb\n']])
  expect(await partsOf('a\nb')).toEqual([
    [1, 'a\n'],
    [2, 'b'],
  ])
})

test('a large file is read in parts of whole, numbered lines that together are the file', async () => {
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

test('a line that is not UTF-8 is reported by its number, wherever the bad byte is', async () => {
  const bad = Buffer.from('Zoë\n', 'latin1')
  await expect(partsOf(bad)).rejects.toThrow(/^line 1: must be UTF-8$/)
  await expect(partsOf(Buffer.concat([Buffer.from('a\nb\n'), bad, Buffer.from('c\n')]))).rejects.toThrow(
    /^line 3: must be UTF-8$/,
  )
  const far = Buffer.from(`${'x'.repeat(99)}\n`.repeat(5000))
  await expect(partsOf(Buffer.concat([far, bad, far]))).rejects.toThrow(/^line 5001: must be UTF-8$/)
})

test('a line of more than 1 MiB is reported by its number and not kept in memory', async () => {
  await expect(partsOf(`a\n${'x'.repeat(MEBIBYTE + 1)}`)).rejects.toThrow(/^line 2: must be at most 1 MiB$/)
})

test.each([
  ['the first line', ''],
  ['a later line', 'a\n'],
])('a line may have exactly 1 MiB, without its line feed: %s', async (_, before) => {
  const whole = `${before}${'x'.repeat(MEBIBYTE)}\nb\n`
  expect((await partsOf(whole)).map(([, text]) => text).join('')).toBe(whole)
  const number = before === '' ? 1 : 2
  await expect(partsOf(`${before}${'x'.repeat(MEBIBYTE + 1)}\nb\n`)).rejects.toThrow(`line ${number}: must be at most 1 MiB`)
})
