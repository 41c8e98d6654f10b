import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isMissingFile } from './missing-file.ts'

test('a file counts as missing only if it does not exist, and not if it cannot be read', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cs-missing-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'countersign.db')
  expect(isMissingFile(`sqlite:${file}`)).toBe(true)
  writeFileSync(file, '')
  expect(isMissingFile(`sqlite:${file}`)).toBe(false)
  // Root may enter every folder. A link to itself cannot be followed by anybody.
  const loop = join(directory, 'loop')
  symlinkSync(loop, loop)
  expect(isMissingFile(`sqlite:${loop}`)).toBe(false)
  expect(isMissingFile('postgres://db.example.test/countersign')).toBe(false)
})
