import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))

/** The target of an entry of `exports`, by condition, in the order in which conditions are tried. */
export type ExportTarget = string | Readonly<Record<string, string>>

/** The fields of a package.json that the tools read. */
export interface Manifest {
  readonly name: string
  readonly version?: string
  readonly private?: boolean
  readonly keywords?: readonly string[]
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string }
  readonly bin?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, ExportTarget>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface WorkspacePackage {
  readonly name: string
  /** Absolute path. */
  readonly directory: string
  readonly manifest: Manifest
}

export const readManifest = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest

const compareNames = (a: { readonly name: string }, b: { readonly name: string }): number => a.name.localeCompare(b.name)

export const readWorkspace = (root = repository): readonly WorkspacePackage[] =>
  readdirSync(join(root, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => {
      const directory = join(root, 'packages', entry.name)
      const manifest = readManifest(directory)
      return { name: manifest.name, directory, manifest }
    })
    .sort(compareNames)

export const publicPackages = (root = repository): readonly WorkspacePackage[] =>
  readWorkspace(root).filter(({ manifest }) => manifest.private !== true)

/** The packages of `workspace` that the manifest of `one` names, including those for its tests. */
export const siblingsOf = (one: WorkspacePackage, workspace: readonly WorkspacePackage[]): readonly WorkspacePackage[] =>
  workspace.filter(({ name }) => name in { ...one.manifest.dependencies, ...one.manifest.devDependencies })
