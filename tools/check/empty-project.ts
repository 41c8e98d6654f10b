import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readManifest, repository } from '../workspace.ts'

/** A packed and unpacked package, with the folder of the workspace if its dependencies are installed. */
export interface Unpacked {
  readonly name: string
  readonly directory: string
  readonly source: string
}

/** The optional packages that the entries for tests and for React import, with the types of React. */
const OF_ENTRIES = ['vitest', 'fast-check', 'react', '@types/react']

const link = (target: string, directory: string, name: string): void => {
  const path = join(directory, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'dir')
}

/**
 * Makes an empty project next to the unpacked packages, and returns its folder. As with pnpm, each package finds only the
 * dependencies that its own manifest names. Of the optional ones, only those that an entry imports are installed.
 */
export const layOutProject = (directory: string, packages: readonly Unpacked[]): string => {
  const pathOf = (from: string, name: string): string =>
    packages.find((one) => one.name === name)?.directory ?? join(from, 'node_modules', name)
  for (const { directory: unpacked, source } of packages) {
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = readManifest(unpacked)
    const isInstalled = (name: string): boolean =>
      peerDependenciesMeta[name]?.optional !== true || OF_ENTRIES.includes(name) || packages.some((one) => one.name === name)
    for (const name of Object.keys({ ...dependencies, ...peerDependencies }).filter(isInstalled))
      link(pathOf(source, name), unpacked, name)
  }
  const project = join(directory, 'project')
  for (const name of [...packages.map((one) => one.name), '@types/node']) link(pathOf(repository, name), project, name)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
  return project
}
