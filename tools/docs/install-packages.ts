import { chmodSync, existsSync, globSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages, repository } from '../workspace.ts'

const IMPORTED = /\bfrom '((?:@[^/']+\/)?[^./'][^/']*)/g

/** Returns the packages that TypeScript or JavaScript code imports, without the modules of Node. */
export const importedPackages = (source: string): readonly string[] =>
  [...source.matchAll(IMPORTED)].map(([, name = '']) => name).filter((name) => !name.startsWith('node:'))

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(realpathSync(target), path)
}

/** Returns the folder of a package that any of our packages has installed; `undefined` if none has. */
const findInstalled = (name: string): string | undefined =>
  ['.', ...globSync(['packages/*', 'examples'], { cwd: repository })]
    .map((folder) => join(repository, folder, 'node_modules', name))
    .find(existsSync)

/**
 * Links installed packages into `directory/node_modules`. Returns the names of those that the repository has not installed.
 */
export const installLibraries = (directory: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => {
    const installed = findInstalled(name)
    if (installed !== undefined) link(installed, join(directory, 'node_modules', name))
    return installed === undefined
  })

/**
 * Links into `directory/node_modules` what an app has installed: our built packages with their published exports and
 * commands, and `others`. Returns the names of those that the repository has not installed.
 */
export const installPackages = (directory: string, others: readonly string[]): readonly string[] => {
  const modules = join(directory, 'node_modules')
  const ours = publicPackages()
  for (const { name, directory: path, manifest } of ours) {
    link(path, join(modules, name))
    for (const [command, file] of Object.entries(manifest.bin ?? {})) {
      chmodSync(join(path, file), 0o755)
      link(join(path, file), join(modules, '.bin', command))
    }
  }
  const wanted = new Set(['@types/node', ...others])
  return installLibraries(
    directory,
    [...wanted].filter((name) => !ours.some((one) => one.name === name)),
  )
}
