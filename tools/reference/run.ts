import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '../../packages/cli/src/program.ts'
import { buildIfNeeded } from '../build/build.ts'
import { repository } from '../workspace.ts'
import { cliReference } from './cli-reference.ts'
import { errorReference } from './error-reference.ts'
import { withSettings } from './settings-reference.ts'

/** `npm run docs`: writes the generated pages. Resolves with the exit code. */
export const run = async (): Promise<number> => {
  if (!(await buildIfNeeded())) return 1
  writeFileSync(join(repository, 'docs', 'cli.md'), cliReference(createProgram(process)))
  writeFileSync(join(repository, 'docs', 'errors.md'), errorReference())
  const operations = join(repository, 'docs', 'operations.md')
  writeFileSync(operations, withSettings(readFileSync(operations, 'utf8')))
  return 0
}
