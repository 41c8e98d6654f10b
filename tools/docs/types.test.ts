import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { capture } from '../capture.ts'
import { repository } from '../workspace.ts'
import { type Block, kindOf, readDocuments } from './page.ts'
import { createApp, importedPackages, installPackages } from './testing/stage.ts'

const directory = createApp()

const blocks = readDocuments().flatMap((page) => page.blocks.filter(({ language }) => ['ts', 'tsx'].includes(language)))

/** Returns the file name of a block. The files of a page import each other by the names in their blocks. */
const fileOf = ({ at, language, marks }: Block): string => {
  const [page = '', line] = at.replaceAll('/', '-').split('.md:')
  return join(directory, page, marks.get('title') ?? `line-${line}.${language}`)
}

/** The options of an app on Node or on a phone. */
const options = [
  '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --moduleDetection force --module preserve --types node',
  '--jsx react-jsx --target es2023 --lib es2024,dom,dom.iterable,dom.asynciterable',
].flatMap((line) => line.split(' '))

test('the TypeScript on every page compiles with strict options', async () => {
  // Phone libraries are not installed here, so their use is not checked. The use of our packages is.
  const foreign = installPackages(directory, [...importedPackages(blocks), '@types/pg', '@types/react'])
  const runnable = importedPackages(blocks.filter((block) => kindOf(block) === 'run'))
  expect(foreign.filter((name) => runnable.includes(name))).toEqual([])
  for (const block of blocks) {
    mkdirSync(dirname(fileOf(block)), { recursive: true })
    writeFileSync(fileOf(block), block.text)
  }
  writeFileSync(join(directory, 'foreign.d.ts'), foreign.map((name) => `declare module '${name}'\n`).join(''))
  const tsc = join(repository, 'node_modules', '.bin', 'tsc')
  const { ok, output } = await capture(tsc, [...options, 'foreign.d.ts', ...blocks.map(fileOf)], directory)
  expect(ok, output).toBe(true)
}, 120_000)
