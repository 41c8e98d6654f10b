import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'
import { type Manifest, readManifest, repository } from '../workspace.ts'
import type { Unpacked } from './empty-project.ts'

/** Returns the specifiers with which CommonJS code loads a package: `@countersign/server`, `@countersign/server/reference`. */
export const requirableEntries = ({ name, exports }: Pick<Manifest, 'name' | 'exports'>): readonly string[] =>
  Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => `${name}${entry.slice(1)}`)

const COMPILER_OPTIONS = { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: ['node'] }

/** Refuses an error class whose name differs from the name of its export, because hosts read the name in their logs. */
const CHECK_NAMES = `const checkNames = (entry, exported) => {
  for (const [name, value] of Object.entries(exported)) {
    if (value?.prototype instanceof Error && value.name !== name) throw new Error(entry + ' exports ' + name + ' as ' + value.name)
  }
}`

/**
 * Checks that CommonJS code loads every entry by require(), and finds its types under `module: nodenext`. The packages have ES
 * modules only, which Node loads by require() since 22.12 if no module awaits at its top level.
 */
export const checkCommonJs = async (project: string, packages: readonly Unpacked[]): Promise<Outcome> => {
  const entries = packages.flatMap(({ directory }) => requirableEntries(readManifest(directory)))
  const folder = join(project, 'common-js')
  mkdirSync(folder)
  const program = entries.map((entry, index) => `import entry${index} = require('${entry}')\nvoid entry${index}\n`).join('')
  writeFileSync(join(folder, 'every-entry.cts'), program)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['every-entry.cts'] }))
  const compiled = await capture(join(repository, 'node_modules', '.bin', 'tsc'), ['-p', folder], folder)
  if (!compiled.ok) return compiled
  const loads = entries.map((entry) => `checkNames('${entry}', require('${entry}'))`).join('\n')
  return capture(process.execPath, ['--input-type=commonjs', '--eval', `${CHECK_NAMES}\n${loads}`], folder)
}
