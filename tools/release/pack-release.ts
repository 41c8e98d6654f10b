import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { publicPackages, readManifest, repository } from '../workspace.ts'
import type { Attempt } from './attempt.ts'

/** Installs the packed files and their dependencies, with npm, in the empty folder `app`. */
export const installTarballs = (attempt: Attempt, tarballs: string, app: string): Promise<Outcome> => {
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'first-five-minutes', private: true, type: 'module' }))
  const files = readdirSync(tarballs).map((file) => join(tarballs, file))
  return attempt('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], app)
}

/** Clones the last commit into `copy` and installs its dependencies, so that a release contains committed files only. */
export const copyRepository = async (attempt: Attempt, copy: string): Promise<Outcome> => {
  const cloned = await attempt('git', ['clone', '--quiet', '--local', '--no-hardlinks', repository, copy], repository)
  return cloned.ok ? runPnpm(attempt, copy, 'install', '--frozen-lockfile', '--prefer-offline') : cloned
}

const runPnpm = (attempt: Attempt, copy: string, ...words: readonly string[]): Promise<Outcome> => {
  const [command, ...args] = pnpm
  return attempt(command, [...args, ...words], copy)
}

/** Applies the changesets: all public packages get the same next version and a changelog. Fails if a version stays. */
export const versionCopy = async (attempt: Attempt, copy: string): Promise<Outcome> => {
  const before = new Map(publicPackages(copy).map(({ name, manifest }) => [name, manifest.version]))
  const versioned = await runPnpm(attempt, copy, 'exec', 'changeset', 'version')
  if (!versioned.ok) return versioned
  const after = publicPackages(copy)
  const unchanged = after.filter(({ name, manifest }) => before.get(name) === manifest.version)
  if (unchanged.length > 0) {
    const names = unchanged.map(({ name }) => name).join(', ')
    return { ok: false, output: `No changeset gives a new version to ${names}. Write one with \`npx changeset\`.` }
  }
  const versions = new Set(after.map(({ manifest }) => manifest.version))
  return versions.size === 1
    ? { ok: true, output: [...versions].join('') }
    : { ok: false, output: `The packages do not share one version: ${[...versions].join(', ')}` }
}

export const versionOf = (copy: string): string => readManifest(join(copy, 'packages', 'core')).version ?? ''

export const buildCopy = (attempt: Attempt, copy: string): Promise<Outcome> => attempt('npm', ['run', '--silent', 'build'], copy)

export const packCopy = async (attempt: Attempt, copy: string, tarballs: string): Promise<Outcome> => {
  const packages = publicPackages(copy)
  const filters = packages.flatMap(({ name }) => ['--filter', name])
  const packed = await runPnpm(attempt, copy, ...filters, 'pack', '--pack-destination', tarballs)
  if (!packed.ok) return packed
  const files = readdirSync(tarballs)
  const ok = files.length === packages.length && files.every((file) => file.endsWith(`-${versionOf(copy)}.tgz`))
  const output = ok ? files.join('\n') : `Expected ${packages.length} files of version ${versionOf(copy)}:\n${files.join('\n')}`
  return { ok, output }
}
