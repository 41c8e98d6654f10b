import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documentMethods } from '../../packages/core/build/document-methods.ts'
import type { Outcome } from '../capture.ts'
import { runStep, tool } from '../step.ts'
import { readWorkspace, repository, type WorkspacePackage } from '../workspace.ts'
import { fingerprint } from './fingerprint.ts'
import { entriesOf, pages } from './outputs.ts'

/** Adds the digest of each file to its address in a page: the worker keeps a page only with the files of these digests. */
const stampPage = (directory: string): void => {
  const page = join(directory, 'index.html')
  const digestOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(directory, file)))
      .digest('hex')
      .slice(0, 16)
  const stamped = readFileSync(page, 'utf8').replace(
    /(?<=(?:src|href)=")[\w-]+\.(?:js|css|json)(?=")/g,
    (file) => `${file}?${digestOf(file)}`,
  )
  writeFileSync(page, stamped)
}

/** The file that records the inputs of the last complete build. */
const RECORD = join(repository, 'node_modules', '.cache', 'countersign-build')

const isBuilt = (one: WorkspacePackage): boolean =>
  [...entriesOf(one).keys()].every((output) => existsSync(join(one.directory, output)))

const arePagesBuilt = (): boolean =>
  pages.every(({ directory, copy, outputs }) =>
    outputs.every((output) => [directory, copy].every((place) => existsSync(join(repository, place, output)))),
  )

/** Runs both compilers in parallel; they write different files. */
const compile = async (workspace: readonly WorkspacePackage[]): Promise<Outcome> => {
  for (const { directory } of workspace) rmSync(join(directory, 'dist'), { recursive: true, force: true })
  const declarations = workspace
    .filter((one) => entriesOf(one).size > 0)
    .map(({ directory }) => join(directory, 'tsconfig.build.json'))
  const outcomes = await Promise.all([tool('tsup'), tool('tsc', '-b', '--force', ...declarations)])
  if (outcomes.every(({ ok }) => ok)) {
    const core = join(repository, 'packages', 'core')
    documentMethods(join(core, 'src'), join(core, 'dist'))
    for (const { directory, copy, outputs } of pages) {
      if (outputs.includes('worker.js')) stampPage(join(repository, directory))
      cpSync(join(repository, directory), join(repository, copy), { recursive: true })
    }
  }
  return {
    ok: outcomes.every(({ ok }) => ok),
    output: outcomes.flatMap(({ ok, output }) => (ok ? [] : [output])).join('\n'),
  }
}

/** Builds all packages if an input of the last build has changed. Resolves with whether the packages are built. */
export const buildIfNeeded = async (): Promise<boolean> => {
  // Tests that run `npm start` set this, because other tests use the built packages meanwhile.
  if (process.env.KEEP_BUILD === '1') return true
  const workspace = readWorkspace()
  const wanted = fingerprint()
  if (existsSync(RECORD) && readFileSync(RECORD, 'utf8') === wanted && workspace.every(isBuilt) && arePagesBuilt()) return true
  // A failed build must not be mistaken for the build before.
  rmSync(RECORD, { force: true })
  // A pipe shows this at once. The step itself is shown at its end.
  console.log('building the packages, which can take a minute …')
  const built = await runStep({ name: 'build', run: () => compile(workspace) })
  if (built) {
    mkdirSync(dirname(RECORD), { recursive: true })
    writeFileSync(RECORD, wanted)
  }
  return built
}
