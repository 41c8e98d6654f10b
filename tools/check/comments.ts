import { capture, type Outcome } from '../capture.ts'
import { repository } from '../workspace.ts'

const MOST_CHARACTERS = 132

/** Returns the lines of `git grep -n` whose text is too long. */
export const longLines = (found: string): readonly string[] =>
  found.split('\n').filter((line) => line.replace(/^[^:]*:\d+:/, '').length > MOST_CHARACTERS)

export const checkComments = async (): Promise<Outcome> => {
  const pattern = '(^|[[:space:]])//|^[[:space:]]*/?[*]'
  const found = await capture('git', ['grep', '-nE', pattern, '--', '*.ts', '*.tsx', '*.mjs'], repository)
  if (!found.ok) return found
  const problems = longLines(found.output)
  return { ok: problems.length === 0, output: problems.join('\n') }
}
