import pLimit from 'p-limit'
import { runStep, type Step, tool } from '../step.ts'
import { checkComments } from './comments.ts'
import { checkCommits } from './commits.ts'
import { checkPackages } from './packages.ts'
import { checkReleases } from './releases.ts'
import { checkRoot } from './root.ts'

/** All checks, the longest first, because several run at a time. */
const checks: readonly Step[] = [
  { name: 'packages as published (publint, attw, imports, names)', run: checkPackages },
  { name: 'promises and any (oxlint)', run: () => tool('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'types (tsc)', run: () => tool('tsc', '-b') },
  {
    name: 'import directions (dependency-cruiser)',
    run: () => tool('depcruise', 'packages', 'examples', 'bench', 'tools', '--config', '.dependency-cruiser.mjs'),
  },
  { name: 'nothing unused (knip)', run: () => tool('knip') },
  { name: 'lint and format (biome)', run: () => tool('biome', 'check', '.') },
  { name: 'changesets', run: checkReleases },
  { name: 'commit messages (commitlint)', run: checkCommits },
  { name: 'files at the root', run: checkRoot },
  { name: 'comments of at most 132 characters a line', run: checkComments },
]

/** Runs every check and prints one line for each. Needs the build. Resolves with the number of failed checks. */
export const check = async (atOnce = 2): Promise<number> => {
  const limit = pLimit(atOnce)
  const held = await Promise.all(checks.map((step) => limit(runStep, step)))
  return held.filter((ok) => !ok).length
}
