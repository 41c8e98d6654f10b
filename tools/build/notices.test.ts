import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noticesOf } from './notices.ts'

let directory: string

const write = (files: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(files).map(([name, content]) => {
    const path = join(directory, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    return path
  })

const manifest = (name: string): string => JSON.stringify({ name, version: '1.2.3' })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-notices-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('the notices contain the license texts of each library once, by name, and nothing of our own packages', () => {
  write({
    'node_modules/.store/two@1/node_modules/two/package.json': manifest('two'),
    'node_modules/.store/two@1/node_modules/two/LICENSE': 'The license of two\n',
    'node_modules/.store/two@1/node_modules/two/NOTICE.txt': 'The notice of two',
    'node_modules/@scope/one/package.json': manifest('@scope/one'),
    'node_modules/@scope/one/license.md': 'The license of one',
  })
  const files = [
    'node_modules/.store/two@1/node_modules/two/lib/index.js',
    'node_modules/.store/two@1/node_modules/two/lib/other.js',
    'node_modules/@scope/one/index.js',
    'packages/ours/src/index.ts',
  ]
  const line = '-'.repeat(80)
  expect(noticesOf(files.map((file) => join(directory, file)))).toBe(
    `These libraries are built into the files of this folder.\n\n${line}\n\n@scope/one 1.2.3\n\nThe license of one\n\n${line}\n\ntwo 1.2.3\n\nThe license of two\n\nThe notice of two\n`,
  )
})

it('the notices fail when a library has no license file', () => {
  write({ 'node_modules/bare/package.json': manifest('bare'), 'node_modules/bare/index.js': '' })
  expect(() => noticesOf([join(directory, 'node_modules/bare/index.js')])).toThrow('bare cannot be built into a package')
})
