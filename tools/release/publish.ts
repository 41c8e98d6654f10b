import { join } from 'node:path'
import type { Outcome } from '../capture.ts'
import type { WorkspacePackage } from '../workspace.ts'
import type { Attempt } from './attempt.ts'

/** Returns the packages in an order in which each follows its dependencies, so that no published package lacks one. */
export const publishOrder = (packages: readonly WorkspacePackage[]): readonly WorkspacePackage[] => {
  const ordered = new Set<WorkspacePackage>()
  const add = (one: WorkspacePackage): void => {
    for (const sibling of packages) if (sibling.name in (one.manifest.dependencies ?? {})) add(sibling)
    ordered.add(one)
  }
  for (const one of packages) add(one)
  return [...ordered]
}

/** Returns the name of the file that `pnpm pack` writes for a package. */
export const tarballName = ({ name, manifest }: WorkspacePackage): string =>
  `${name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`

export interface Publication {
  readonly packages: readonly WorkspacePackage[]
  readonly tarballs: string
  readonly isDryRun: boolean
}

/** Publishes the packed files with npm. A dry run lets npm check the files. Stops at the first failure. */
export const publish = async (attempt: Attempt, { packages, tarballs, isDryRun }: Publication): Promise<Outcome> => {
  const done: string[] = []
  for (const one of publishOrder(packages)) {
    const words = ['publish', join(tarballs, tarballName(one)), '--access', 'public', ...(isDryRun ? ['--dry-run'] : [])]
    const { ok, output } = await attempt('npm', words, tarballs)
    if (!ok)
      return { ok, output: `${output}\n\n${isDryRun ? 'Checked' : 'Published'} before this: ${done.join(', ') || 'nothing'}` }
    done.push(one.name)
  }
  return { ok: true, output: done.join('\n') }
}
