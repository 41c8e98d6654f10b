import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { capture } from '../capture.ts'
import { blocksOfTest } from './page.ts'
import { cleanEnvironment, importedPackages, installPackages } from './stage.ts'

const blocks = blocksOfTest(import.meta.filename)
const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-adapter-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('the suites of adapters on the page pass, with the packages as they are published', async () => {
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const imported = blocks.flatMap(({ text }) => importedPackages(text))
  installPackages(directory, [...imported, 'vitest', 'fast-check'])
  for (const { marks, text } of blocks) writeFileSync(join(directory, marks.get('title') ?? ''), text)
  const vitest = join(directory, 'node_modules', 'vitest', 'vitest.mjs')
  const { ok, output } = await capture(process.execPath, [vitest, 'run'], directory, cleanEnvironment())
  expect(ok, output).toBe(true)
  expect(output).toContain('agree with a textbook algorithm in 10,000 random traces')
}, 180_000)
