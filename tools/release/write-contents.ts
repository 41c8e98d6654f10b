import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Outcome } from '../capture.ts'
import { pnpm } from '../install.mjs'

interface Component {
  readonly group?: string
  readonly name: string
  readonly version: string
  readonly 'bom-ref': string
}

/** The members of a CycloneDX document that are read here. */
interface BillOfMaterials {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

type Run = (command: string, args: readonly string[], cwd: string) => Promise<Outcome>

const labelOf = ({ group, name, version }: Component): string => `${group === undefined ? '' : `${group}/`}${name}@${version}`

/** The libraries that the build puts into the command, as `name@version`, from the file with their licenses. */
export const builtIn = (notices: string): readonly string[] =>
  notices
    .split(`\n\n${'-'.repeat(80)}\n\n`)
    .slice(1)
    .map((notice) => notice.slice(0, notice.indexOf('\n')).replace(/ (?=\S+$)/, '@'))

/** Leaves out the components that no package needs at run time and no build puts into a package: compilers and test tools. */
export const withoutTools = (
  all: BillOfMaterials,
  production: BillOfMaterials,
  libraries: readonly string[],
): BillOfMaterials => {
  const needed = new Set([...production.components.map(labelOf), ...libraries])
  const components = all.components.filter((one) => needed.has(labelOf(one)))
  const missing = [...needed].filter((label) => !components.some((one) => labelOf(one) === label))
  if (missing.length > 0) throw new Error(`The bill of materials lacks ${missing.join(', ')}`)
  const refs = new Set([all.metadata.component, ...components].map((one) => one['bom-ref']))
  return {
    ...all,
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  }
}

/** Writes the bill of materials (CycloneDX) of all packages of a built copy of the repository. */
export const writeBillOfMaterials = async (run: Run, copy: string, file: string): Promise<Outcome> => {
  const [command, ...args] = pnpm
  const words = ['--filter', './packages/*', 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--out', file]
  const read = async (...further: readonly string[]): Promise<BillOfMaterials> => {
    const { ok, output } = await run(command, [...args, ...words, ...further], copy)
    if (!ok) throw new Error(output)
    return JSON.parse(readFileSync(file, 'utf8')) as BillOfMaterials
  }
  const [production, all] = [await read('--prod'), await read()]
  const libraries = builtIn(readFileSync(join(copy, 'packages', 'cli', 'dist', 'third-party-licenses.txt'), 'utf8'))
  const needed = withoutTools(all, production, libraries)
  writeFileSync(file, `${JSON.stringify(needed, undefined, 2)}\n`)
  return { ok: true, output: `${needed.components.length} components` }
}

/** Writes the SHA-256 of every file in a folder to `SHA256SUMS`, as `sha256sum --check` reads them. */
export const writeChecksums = (folder: string): void => {
  const name = 'SHA256SUMS'
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== name)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
  const lines = files.map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')}  ${file}\n`,
  )
  writeFileSync(join(folder, name), lines.join(''))
}
