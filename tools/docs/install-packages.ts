import { chmodSync, existsSync, globSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages, repository } from '../workspace.ts'

const IMPORTED = /\bfrom '((?:@[^/']+\/)?[^./'][^/']*)/g

/** The packages that TypeScript or JavaScript imports, Node's own left out. */
export const importedPackages = (source: string): readonly string[] =>
  [...source.matchAll(IMPORTED)].map(([, name = '']) => name).filter((name) => !name.startsWith('node:'))

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(realpathSync(target), path)
}

/** Where the repository has a package installed, for whichever of its own packages; `undefined` where it has not. */
const findInstalled = (name: string): string | undefined =>
  ['.', ...globSync(['packages/*', 'examples'], { cwd: repository })]
    .map((folder) => join(repository, folder, 'node_modules', name))
    .find(existsSync)

/** Lays packages that the repository has installed into `directory/node_modules`, and nothing else. Returns those it has not. */
export const installLibraries = (directory: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => {
    const installed = findInstalled(name)
    if (installed !== undefined) link(installed, join(directory, 'node_modules', name))
    return installed === undefined
  })

/**
 * Lays into `directory/node_modules` what an app would have there: our packages, as they are built and with the exports
 * that they are published with, their commands, and `others` as far as the repository has them. Returns those it has not.
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
