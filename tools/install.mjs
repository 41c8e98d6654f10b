import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './launch.mjs'

const PNPM = 'pnpm@12.21.0'

/** The command that runs the package manager if only npm is installed. @type {readonly [string, ...string[]]} */
export const pnpm = ['npx', '--yes', '--loglevel=error', PNPM]

/** The file that pnpm rewrites after each complete installation. */
const STATE = '.pnpm-workspace-state-v1.json'

const modified = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY

/** @param {string} repository */
const isInstalled = (repository) => {
  const installed = modified(join(repository, 'node_modules', STATE))
  const packages = readdirSync(join(repository, 'packages')).map((name) => join('packages', name, 'package.json'))
  const beside = ['examples', 'bench'].map((name) => join(name, 'package.json'))
  const wanted = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...beside, ...packages]
  return wanted.every((path) => modified(join(repository, path)) <= installed)
}

/**
 * Installs the dependencies if a manifest or the lockfile is newer than the last installation, by the dates of the files.
 * Resolves with an exit code.
 *
 * @param {string} repository
 * @returns {Promise<number>}
 */
export const installIfNeeded = async (repository) => {
  if (isInstalled(repository)) return 0
  const [command, ...args] = pnpm
  return launch(command, [...args, 'install'], { cwd: repository })
}
