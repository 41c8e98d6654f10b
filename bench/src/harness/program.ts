import { join } from 'node:path'
import { repository } from '../../../tools/workspace.ts'

/** The measured program: the built packages, or their sources where a test only runs a benchmark. */
export type Program = 'built' | 'source'

/** Returns the arguments of Node with which the packages are found. */
export const nodeArguments = (program: Program): readonly string[] =>
  program === 'built' ? [] : ['--conditions=@countersign/source']

/** Returns the file of the `countersign` command. */
export const commandFile = (program: Program): string =>
  join(repository, 'packages', 'cli', ...(program === 'built' ? ['dist', 'bin.js'] : ['src', 'bin.ts']))
