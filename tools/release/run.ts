import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'
import { runStep, type Step } from '../step.ts'
import { publicPackages, repository } from '../workspace.ts'
import { type Attempt, createAttempt } from './attempt.ts'
import { playFirstFiveMinutes } from './first-five-minutes.ts'
import { buildCopy, copyRepository, installTarballs, packCopy, versionCopy, versionOf } from './pack-release.ts'
import { publish } from './publish.ts'
import { writeBillOfMaterials, writeChecksums } from './write-contents.ts'

const USAGE = 'Usage: npm run release -- [--dry-run]'

/** The folder that keeps the packed files of the last release or dry run, with their bill of materials and checksums. */
const RELEASE = join(repository, 'release')

interface Folders {
  readonly copy: string
  readonly tarballs: string
  /** An empty project, in which the packed files are tried. */
  readonly app: string
}

/** Puts the packed files, their bill of materials (CycloneDX) and the checksums of all into the folder of the release. */
const keepRelease = async (attempt: Attempt, { copy, tarballs }: Folders): Promise<Outcome> => {
  rmSync(RELEASE, { recursive: true, force: true })
  cpSync(tarballs, RELEASE, { recursive: true })
  const written = await writeBillOfMaterials(attempt, copy, join(RELEASE, `countersign-${versionOf(copy)}.cdx.json`))
  writeChecksums(RELEASE)
  return written
}

const releaseSteps = (attempt: Attempt, folders: Folders, isDryRun: boolean): readonly Step[] => {
  const { copy, tarballs, app } = folders
  const login: Step = { name: 'login at the registry', run: () => attempt('npm', ['whoami'], repository) }
  return [
    ...(isDryRun ? [] : [login]),
    { name: 'copy of the last commit', run: () => copyRepository(attempt, copy) },
    { name: 'versions and changelogs', run: () => versionCopy(attempt, copy) },
    { name: 'build', run: () => buildCopy(attempt, copy) },
    { name: 'pack', run: () => packCopy(attempt, copy, tarballs) },
    { name: 'install in an empty project', run: () => installTarballs(attempt, tarballs, app) },
    { name: 'first five minutes', run: () => playFirstFiveMinutes(attempt, app) },
    { name: 'bill of materials and checksums', run: () => keepRelease(attempt, folders) },
    {
      name: isDryRun ? 'publish (dry run)' : 'publish',
      run: () => publish(attempt, { packages: publicPackages(copy), tarballs, isDryRun }),
    },
  ]
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs `work` with a signal that aborts when a person or the system asks this process to end. */
const untilInterrupted = async <T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> => {
  const interruption = new AbortController()
  const interrupt = (): void => interruption.abort()
  for (const signal of SIGNALS) process.once(signal, interrupt)
  try {
    return await work(interruption.signal)
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

const doneMessage = (version: string, isDryRun: boolean): string =>
  isDryRun
    ? `Version ${version} is ready to be released. Nothing was uploaded.`
    : `Version ${version} is released. Now run \`npx changeset version\`, commit the result and tag the commit v${version}.`

/**
 * Releases every public package, from a copy of the last commit: versions, packs, tries the packed files in an empty project,
 * writes bill of materials and checksums, and publishes. `--dry-run` uploads nothing. The first failed step ends the release.
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
  const folders = { copy: join(directory, 'copy'), tarballs: join(directory, 'tarballs'), app: join(directory, 'app') }
  try {
    for (const folder of [folders.tarballs, folders.app]) mkdirSync(folder)
    return await untilInterrupted(async (interrupted) => {
      for (const step of releaseSteps(createAttempt(interrupted), folders, isDryRun))
        if (!(await runStep(step))) {
          console.error(`The release stopped at "${step.name}".`)
          return 1
        }
      console.log(`\nThe folder release has the packages, their bill of materials (CycloneDX) and the checksums:`)
      console.log(readFileSync(join(RELEASE, 'SHA256SUMS'), 'utf8'))
      console.log(`${doneMessage(versionOf(folders.copy), isDryRun)}`)
      return 0
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
