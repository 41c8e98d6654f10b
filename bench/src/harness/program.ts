import { join } from 'node:path'
import { repository } from '../../../tools/workspace.ts'

/** What is measured: the packages as they are built, or, to see that a benchmark runs, their sources. */
export type Program = 'built' | 'source'

/** Arguments of Node with which the packages are found. */
export const nodeArguments = (program: Program): readonly string[] =>
  program === 'built' ? [] : ['--conditions=@countersign/source']

/** The file of the `countersign` command. */
export const commandFile = (program: Program): string =>
  join(repository, 'packages', 'cli', ...(program === 'built' ? ['dist', 'bin.js'] : ['src', 'bin.ts']))
