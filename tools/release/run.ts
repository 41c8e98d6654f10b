import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from '../capture.ts'
import { runStep } from '../step.ts'
import { repository } from '../workspace.ts'
import { copyRepository } from './copy-repository.ts'
import { playFirstFiveMinutes } from './first-five-minutes.ts'
import { installTarballs } from './install-tarballs.ts'
import { buildCopy, packCopy, versionCopy } from './pack-release.ts'
import { publish } from './publish.ts'

const USAGE = 'Usage: npm run release -- [--dry-run]'

/**
 * Releases every public package: gives them their next version, packs them, installs the packed files in an empty project,
 * runs the first five minutes there, and publishes the very files that were tried. All of it works on a copy of the last
 * commit; `--dry-run` lets npm check each file and uploads nothing. Resolves with an exit code.
 */
export const run = async (args: readonly string[]): Promise<number> => {
  const isDryRun = args.includes('--dry-run')
  if (args.some((argument) => argument !== '--dry-run')) {
    console.error(USAGE)
    return 2
  }
  const changed = await capture('git', ['status', '--porcelain'], repository)
  if (changed.output !== '') console.log('Uncommitted changes are left out: the last commit is released.\n')

  const directory = mkdtempSync(join(tmpdir(), 'countersign-release-'))
  const [copy, tarballs, app] = ['copy', 'tarballs', 'app'].map((name) => join(directory, name)) as [string, string, string]
  try {
    for (const folder of [tarballs, app]) mkdirSync(folder)
    const steps = [
      { name: 'copy of the last commit', run: () => copyRepository(copy) },
      { name: 'versions and changelogs', run: () => versionCopy(copy) },
      { name: 'build', run: () => buildCopy(copy) },
      { name: 'pack', run: () => packCopy(copy, tarballs) },
      { name: 'install in an empty project', run: () => installTarballs(tarballs, app) },
      { name: 'first five minutes', run: () => playFirstFiveMinutes(app) },
      { name: isDryRun ? 'publish (dry run)' : 'publish', run: () => publish(tarballs, { isDryRun }) },
    ]
    for (const step of steps) if (!(await runStep(step))) return 1
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
  console.log(isDryRun ? '\nReady to be released. Nothing was uploaded.' : '\nReleased.')
  return 0
}
