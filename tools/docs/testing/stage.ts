import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { compileCache } from '../../testing/compile-cache.ts'
import { freePort } from '../../testing/free-port.ts'
import { publicPackages, repository } from '../../workspace.ts'
import type { Block, Page } from '../page.ts'

/** Returns the packages that the TypeScript or JavaScript of blocks imports, without the modules of Node. */
export const importedPackages = (blocks: readonly Block[]): readonly string[] =>
  blocks
    .flatMap(({ text }) => [...text.matchAll(/\bfrom '((?:@[^/']+\/)?[^./'][^/']*)/g)])
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('node:'))

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) symlinkSync(realpathSync(target), path)
}

/** Links installed packages into `directory/node_modules`. Returns the names of those that the repository has not. */
export const installLibraries = (directory: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => {
    const path = join(directory, 'node_modules', name)
    const folders = ['.', ...globSync(['packages/*', 'examples'], { cwd: repository })]
    const installed = folders.map((folder) => join(repository, folder, 'node_modules', name)).find(existsSync)
    if (installed !== undefined) link(installed, path)
    return !existsSync(path)
  })

/** Links our built packages, with their published exports and commands, and `others`. Returns the names of those not installed. */
export const installPackages = (directory: string, others: readonly string[]): readonly string[] => {
  const modules = join(directory, 'node_modules')
  for (const { name, directory: path, manifest } of publicPackages()) {
    link(path, join(modules, name))
    for (const [command, file] of Object.entries(manifest.bin ?? {})) link(join(path, file), join(modules, '.bin', command))
  }
  return installLibraries(directory, ['@types/node', ...others])
}

/** Returns the environment of the machine with this Node, without variables that affect Countersign, npm or tests. */
export const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:COUNTERSIGN_|npm_|VITEST|NODE_|REDIS|TEST_)/i.test(name)),
  )

const createFolder = (scripts?: unknown): string => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-docs-'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module', scripts }))
  return directory
}

/** Creates the folder of an app that has the files of these blocks. It is removed after the tests of the calling file. */
export const createApp = (blocks: readonly Block[] = []): string => {
  const directory = createFolder()
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  for (const { marks, text } of blocks) writeFileSync(join(directory, marks.get('title') ?? ''), text)
  return directory
}

/** Creates a folder in which a page is followed, with our scripts, the packages as an app installs them, and a free port. */
export const createStage = async ({ blocks }: Page) => {
  const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as { readonly scripts: unknown }
  const directory = createFolder(scripts)
  symlinkSync(join(repository, 'tools'), join(directory, 'tools'))
  installPackages(directory, importedPackages(blocks))
  const port = await freePort()
  const path = [join(directory, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH ?? '']
  const own = { PATH: path.join(delimiter), COUNTERSIGN_PORT: String(port), PAGER: 'cat', KEEP_BUILD: '1' }
  return {
    directory,
    env: { ...cleanEnvironment(), ...compileCache, ...own },
    /** Replaces port 4000 of the text by the actual port, because another server may use 4000. */
    adapt: (text: string): string => text.replaceAll(':4000', `:${port}`),
    remove: (): void => rmSync(directory, { recursive: true, force: true }),
  }
}
