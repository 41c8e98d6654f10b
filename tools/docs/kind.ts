import type { Block } from './page.ts'

/**
 * What becomes of a block:
 *
 * - `run`: a reader's terminal, editor or database does what it says; with settings, a command connects
 * - `compared`: it is what the block before printed
 * - `file`: it is written to a file, which a block after it uses
 * - `tested`: a test that it names, with a stage of its own, does what it says
 * - `not run`: none of these, for the reason beside it; it is still read, where anything here can read its language
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
