import { capture, type Outcome } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { repository } from '../workspace.ts'

/** Clones the last commit into `copy`, with its dependencies, so that a release holds nothing that is not committed. */
export const copyRepository = async (copy: string): Promise<Outcome> => {
  const cloned = await capture('git', ['clone', '--quiet', '--local', '--no-hardlinks', repository, copy], repository)
  if (!cloned.ok) return cloned
  const [command, ...args] = pnpm
  return capture(command, [...args, 'install', '--frozen-lockfile', '--prefer-offline'], copy)
}
