import { join } from 'node:path'
import { expect, test } from 'vitest'
import { capture } from '../capture.ts'
import { blocksOfTest } from './page.ts'
import { cleanEnvironment, createApp, importedPackages, installPackages } from './testing/stage.ts'

const blocks = blocksOfTest(import.meta.filename)
const directory = createApp(blocks)

test('the contract suites on the page pass with the packages as they are published', async () => {
  installPackages(directory, [...importedPackages(blocks), 'vitest', 'fast-check'])
  const vitest = join(directory, 'node_modules', 'vitest', 'vitest.mjs')
  const { ok, output } = await capture(process.execPath, [vitest, 'run'], directory, cleanEnvironment())
  expect(ok, output).toBe(true)
  expect(output).toContain('agree with a textbook algorithm in 10,000 random traces')
}, 180_000)
