import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { readManifest, readWorkspace } from '../workspace.ts'

const runPnpm = (copy: string, ...words: readonly string[]): Promise<Outcome> => {
  const [command, ...args] = pnpm
  return capture(command, [...args, ...words], copy)
}

const publicPackages = (copy: string) => readWorkspace(copy).filter(({ manifest }) => manifest.private !== true)

/** Applies the changesets: every public package gets the same next version and its changelog. Fails where nothing changes. */
export const versionCopy = async (copy: string): Promise<Outcome> => {
  const before = new Map(publicPackages(copy).map(({ name, manifest }) => [name, manifest.version]))
  const versioned = await runPnpm(copy, 'exec', 'changeset', 'version')
  if (!versioned.ok) return versioned
  const versions = new Set(publicPackages(copy).map(({ manifest }) => manifest.version))
  const unchanged = publicPackages(copy).filter(({ name, manifest }) => before.get(name) === manifest.version)
  if (unchanged.length > 0) return { ok: false, output: `No changeset gives a new version to ${unchanged[0]?.name}` }
  return { ok: versions.size === 1, output: [...versions].join(', ') }
}

/** Builds every package of the copy. */
export const buildCopy = (copy: string): Promise<Outcome> => capture('npm', ['run', '--silent', 'build'], copy)

/** Packs every public package into `tarballs`, as a registry would get it. */
export const packCopy = async (copy: string, tarballs: string): Promise<Outcome> => {
  const packages = publicPackages(copy)
  const filters = packages.flatMap(({ name }) => ['--filter', name])
  const packed = await runPnpm(copy, ...filters, 'pack', '--pack-destination', tarballs)
  if (!packed.ok) return packed
  const files = readdirSync(tarballs)
  const { version } = readManifest(join(copy, 'packages', 'core'))
  const ok = files.length === packages.length && files.every((file) => file.endsWith(`-${version}.tgz`))
  return { ok, output: files.join('\n') }
}
