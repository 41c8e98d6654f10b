import type { Block } from './page.ts'

/**
 * The treatment of a block:
 *
 * - `run`: a terminal, an editor or a database of the reader runs it; a command connects with given settings
 * - `compared`: it is compared with the output of the block before
 * - `file`: it is written to a file that a later block uses
 * - `tested`: the named test runs it
 * - `not run`: none of these, for the reason beside it; its syntax is checked if a parser is available
 */
export type Kind = 'run' | 'compared' | 'file' | 'tested' | 'not run'

const RUN = new Set(['sh', 'ts', 'js', 'sql', 'dotenv'])

export const kindOf = ({ language, marks, notRun }: Block): Kind => {
  if (notRun !== undefined) return 'not run'
  if (marks.has('by')) return 'tested'
  if (marks.has('output')) return 'compared'
  if (RUN.has(language)) return 'run'
  return marks.has('title') ? 'file' : 'not run'
}
