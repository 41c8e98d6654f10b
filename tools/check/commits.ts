import config from '@commitlint/config-conventional'
import lint from '@commitlint/lint'
import type { QualifiedRules } from '@commitlint/types'
import { capture, type Outcome } from '../capture.ts'
import { repository } from '../workspace.ts'

/** The day on which the project adopted the convention. Older commits stay unchecked. */
const SINCE = '2026-11-23T00:00:00Z'

/** Separates messages in the output of git. No message contains it. */
const END = '\0'

const MOST_HEADER_CHARACTERS = 120

/** Conventional Commits 1.0.0. Names can have capitals, and bodies can have tables and long links. */
const rules: QualifiedRules = {
  ...config.rules,
  'subject-case': [0],
  'header-max-length': [2, 'always', MOST_HEADER_CHARACTERS],
  'body-max-line-length': [0],
  'footer-max-line-length': [0],
  // The rule mistakes a wrapped line of the body that begins with a word and a colon for a footer. BREAKING is checked instead.
  'footer-leading-blank': [0],
}

/** Matches the note of a breaking change that follows another line directly, where tools do not read it as a footer. */
const HIDDEN_BREAKING_CHANGE = /[^\n]\nBREAKING[ -]CHANGE: /

/** The header of the convention: a type, a scope in brackets, `!` for a breaking change, and the subject. */
const HEADER = /^(\w*)(?:\(([^)]*)\))?!?: (.*)$/

/** Returns the problems of a commit message, one line each; an empty list if the message follows the convention. */
export const commitProblems = async (message: string): Promise<readonly string[]> => {
  const { errors, warnings } = await lint(message, rules, { parserOpts: { headerPattern: HEADER } })
  const header = message.split('\n')[0] ?? ''
  const messages = [...errors, ...warnings].map((problem) => problem.message)
  if (HIDDEN_BREAKING_CHANGE.test(message)) messages.push('BREAKING CHANGE must have a blank line before it')
  return messages.map((problem) => `${header}: ${problem}`)
}

/** Checks the messages of all commits since the convention was adopted, except merges. */
export const checkCommits = async (): Promise<Outcome> => {
  const log = await capture('git', ['log', '--no-merges', `--since=${SINCE}`, '--format=%B%x00'], repository)
  if (!log.ok) return log
  const messages = log.output
    .split(END)
    .map((message) => message.trim())
    .filter((message) => message !== '')
  const problems = (await Promise.all(messages.map(commitProblems))).flat()
  return { ok: problems.length === 0, output: problems.join('\n') }
}
