import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { repository } from '../workspace.ts'
import { importedPackages, installPackages } from './install-packages.ts'
import type { Page } from './page.ts'

/** The port that pages speak of. It may be taken here, or be somebody's own server. */
const WRITTEN_PORT = ':4000'

/** Where a page is followed as its reader would, in a folder of its own: nothing of the repository changes. */
export interface Stage {
  readonly directory: string
  readonly url: string
  readonly env: NodeJS.ProcessEnv
  /** The text with the port that is served on here in place of the one that is written, 4000. */
  readonly adapt: (text: string) => string
  readonly remove: () => void
}

const readScripts = (): unknown =>
  (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly scripts: unknown }).scripts

/** The machine's environment, without what would decide how Countersign or npm behave, and with this very Node. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:COUNTERSIGN_|npm_|VITEST|NODE_|REDIS|TEST_)/i.test(name)),
  )

/** Has the scripts of the repository, the packages as an app has them, and a port on which nobody listens yet. */
export const createStage = async (page: Page): Promise<Stage> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module', scripts: readScripts() }))
  symlinkSync(join(repository, 'tools'), join(directory, 'tools'))
  mkdirSync(join(directory, '.blocks'))
  installPackages(
    directory,
    page.blocks.flatMap(({ text }) => importedPackages(text)),
  )
  const port = await freePort()
  const path = [join(directory, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? '']
  return {
    directory,
    url: `http://127.0.0.1:${port}`,
    env: { ...cleanEnvironment(), PATH: path.join(delimiter), COUNTERSIGN_PORT: String(port), PAGER: 'cat' },
    adapt: (text) => text.replaceAll(WRITTEN_PORT, `:${port}`),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
