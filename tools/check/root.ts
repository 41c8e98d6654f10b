import { capture, type Outcome } from '../capture.ts'
import { repository } from '../workspace.ts'

/** The files and folders that git may track at the root. Everything else belongs into one of these folders. */
const AT_ROOT: ReadonlySet<string> = new Set([
  '.changeset',
  '.ci',
  '.dependency-cruiser.mjs',
  '.dockerignore',
  '.editorconfig',
  '.gitattributes',
  '.gitignore',
  '.oxlintrc.json',
  '.vscode',
  'CONTRIBUTING.md',
  'Dockerfile',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'bench',
  'biome.json',
  'deploy',
  'docs',
  'examples',
  'knip.config.ts',
  'package.json',
  'packages',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tools',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsup.config.ts',
  'vitest.config.ts',
])

/** Returns one problem for each file or folder at the root that is not listed. Paths are relative to the root. */
export const rootProblems = (paths: readonly string[]): readonly string[] => {
  const names = new Set(paths.map((path) => path.replace(/\/.*/s, '')))
  return [...names]
    .filter((name) => !AT_ROOT.has(name))
    .map((name) => `${name}: unknown at the root; move or remove it, or list it in tools/check/root.ts`)
}

export const checkRoot = async (): Promise<Outcome> => {
  const listed = await capture('git', ['ls-files', '-z'], repository)
  if (!listed.ok) return listed
  const problems = rootProblems(listed.output.split('\0').filter((path) => path !== ''))
  return { ok: problems.length === 0, output: problems.join('\n') }
}
