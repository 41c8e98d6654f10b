import type { Outcome } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { repository } from '../workspace.ts'
import type { Attempt } from './attempt.ts'

/** Clones the last commit into `copy` and installs its dependencies, so that a release contains committed files only. */
export const copyRepository = async (attempt: Attempt, copy: string): Promise<Outcome> => {
  const cloned = await attempt('git', ['clone', '--quiet', '--local', '--no-hardlinks', repository, copy], repository)
  if (!cloned.ok) return cloned
  const [command, ...args] = pnpm
  return attempt(command, [...args, 'install', '--frozen-lockfile', '--prefer-offline'], copy)
}
