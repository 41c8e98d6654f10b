import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { repository } from '../workspace.ts'
import { importedPackages, installPackages } from './install-packages.ts'
import type { Page } from './page.ts'

/** The port in the text of the pages. On this machine, it may be in use by another server. */
const WRITTEN_PORT = ':4000'

/** A folder in which a page is followed, so that nothing in the repository changes. */
export interface Stage {
  readonly directory: string
  readonly url: string
  readonly env: NodeJS.ProcessEnv
  /** Replaces port 4000 of the text by the actual port. */
  readonly adapt: (text: string) => string
  readonly remove: () => void
}

const readScripts = (): unknown =>
  (JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly scripts: unknown }).scripts

/** Returns the environment of the machine with this Node, without variables that affect Countersign or npm. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:COUNTERSIGN_|npm_|VITEST|NODE_|REDIS|TEST_)/i.test(name)),
  )

/** Creates a stage with the scripts of the repository, the packages as an app installs them, and a free port. */
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
