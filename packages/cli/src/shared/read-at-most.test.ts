import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readAtMost } from './read-at-most.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-read-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const fileOf = (content: string): string => {
  const path = join(directory, 'file')
  writeFileSync(path, content)
  return path
}

test('a file of the greatest allowed size is read whole, and a file one byte longer is refused', async () => {
  expect(String(await readAtMost(fileOf(''), 4))).toBe('')
  expect(String(await readAtMost(fileOf('abcd'), 4))).toBe('abcd')
  expect(await readAtMost(fileOf('abcde'), 4)).toBeUndefined()
})

test('a file that arrives through a pipe in pieces is read whole', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('sh', ['-c', `mkfifo '${pipe}'`])
  const writer = spawn('sh', ['-c', `exec > '${pipe}'; printf ab; sleep 0.1; printf cd`])
  expect(String(await readAtMost(pipe, 100))).toBe('abcd')
  writer.kill()
})

test('reading stops at the limit when the file never ends', async () => {
  expect(await readAtMost('/dev/zero', 1024 * 1024)).toBeUndefined()
})
