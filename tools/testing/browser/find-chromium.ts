import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { npmChromium } from './npm-chromium.ts'
import { type Chromium, whyItDoesNotRun } from './run-chromium.ts'

/** The reason why no Chromium runs, and a remedy, in one line. */
export interface MissingChromium {
  readonly missing: string
}

type Source = () => Promise<readonly Chromium[]>

export interface WhereToLook {
  /** The only program to use, or `npm` for the browser from npm. */
  readonly given?: string | undefined
  /** The program folders, as in `PATH`. */
  readonly path?: string | undefined
  /** The last candidates. */
  readonly fallback?: Source
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const APPLICATIONS = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome']

const REMEDY = 'install Chromium (on Debian and Ubuntu: apt-get install chromium) or set CHROMIUM_PATH to its program'

const ofTheSystem = (path: string): readonly Chromium[] => {
  const programs = path.split(delimiter).flatMap((directory) => NAMES.map((name) => join(directory, name)))
  const applications = process.platform === 'darwin' ? APPLICATIONS.map((name) => join('/Applications', name)) : []
  return [...programs, ...applications].filter(existsSync).map((executablePath) => ({ executablePath, env: {} }))
}

/** Returns the first candidate that runs, or the reasons why none runs. */
const firstThatRuns = async (candidates: readonly Chromium[]): Promise<Chromium | { readonly reasons: readonly string[] }> => {
  const reasons: string[] = []
  for (const candidate of candidates) {
    const reason = await whyItDoesNotRun(candidate)
    if (reason === undefined) return candidate
    reasons.push(reason)
  }
  return { reasons }
}

const sourcesOf = (given: string | undefined, path: string, fallback: Source): readonly Source[] => {
  if (given === 'npm') return [fallback]
  if (given) return [async () => [{ executablePath: given, env: {} }]]
  return [async () => ofTheSystem(path), fallback]
}

/**
 * Finds the Chromium for tests: the program of `CHROMIUM_PATH`, which must run if it is set; else a Chromium of the
 * system; else the Chromium that the repository installs from npm. `CHROMIUM_PATH=npm` chooses the last one.
 */
export const findChromium = async ({
  given = process.env.CHROMIUM_PATH,
  path = process.env.PATH ?? '',
  fallback = npmChromium,
}: WhereToLook = {}): Promise<Chromium | MissingChromium> => {
  const reasons: string[] = []
  for (const source of sourcesOf(given, path, fallback)) {
    const found = await firstThatRuns(await source())
    if ('executablePath' in found) return found
    reasons.push(...found.reasons)
  }
  return { missing: `there is no Chromium that runs here (${[...reasons, REMEDY].join('; ')})` }
}
