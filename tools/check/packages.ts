import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { capture, type Outcome } from '../capture.ts'
import { pnpm } from '../install.mjs'
import { tarballName } from '../release/publish.ts'
import { tool } from '../step.ts'
import { publicPackages, repository } from '../workspace.ts'
import { checkCommonJs } from './common-js.ts'
import { layOutProject, type Unpacked } from './empty-project.ts'
import { checkDeclarations, checkNameableTypes } from './nameable-types.ts'
import { undeclaredImports } from './packed-imports.ts'

/** The number of packages that are checked in parallel; each check loads a compiler. */
const AT_ONCE = 2

/** Types as in `node16`. The ignored rule is about require() of ES modules, which Node loads: see `checkCommonJs`. */
const ATTW = ['--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--no-emoji']

const unpackedOf = (tarball: string): string => `${tarball}-unpacked`

const judgeImports = async (tarball: string, directory: string): Promise<Outcome> => {
  mkdirSync(directory)
  const unpacked = await capture('tar', ['-xzf', tarball, '-C', directory, '--strip-components=1'], repository)
  if (!unpacked.ok) return unpacked
  const complaints = undeclaredImports(directory)
  return { ok: complaints.length === 0, output: complaints.join('\n') }
}

/** Judges one packed package as a registry would get it: its exports, types and dependencies. */
const judge = async (tarball: string): Promise<readonly Outcome[]> => [
  await tool('publint', tarball, '--strict'),
  await tool('attw', tarball, ...ATTW),
  await judgeImports(tarball, unpackedOf(tarball)),
]

/** Packs every public package as for a release and checks each. Needs the build. */
export const checkPackages = async (): Promise<Outcome> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-packages-'))
  try {
    const [command, ...args] = pnpm
    const packed = await capture(command, [...args, '--recursive', 'pack', '--pack-destination', directory], repository)
    if (!packed.ok) return packed
    const limit = pLimit(AT_ONCE)
    const packages = publicPackages().map((one) => ({ ...one, tarball: join(directory, tarballName(one)) }))
    const judged = await Promise.all(packages.map(({ tarball }) => limit(judge, tarball)))
    const unpacked = packages.map(
      ({ name, directory: source, tarball }): Unpacked => ({ name, source, directory: unpackedOf(tarball) }),
    )
    const project = layOutProject(directory, unpacked)
    const used = [await checkNameableTypes(project), await checkDeclarations(project), await checkCommonJs(project, unpacked)]
    const failed = [...judged.flat(), ...used].filter(({ ok }) => !ok)
    return { ok: failed.length === 0, output: failed.map(({ output }) => output).join('\n\n') }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
