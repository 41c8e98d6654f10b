import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../workspace.ts'
import { type Kind, kindOf } from './block-kind.ts'
import { describePages, missing } from './describe-pages.ts'
import { type Block, readDocuments } from './page.ts'
import { readers } from './read-block.ts'

const read = readers()
const pages = readDocuments()
const blocks = pages.flatMap((page) => page.blocks)
const ofKind = (kind: Kind): readonly Block[] => blocks.filter((block) => kindOf(block) === kind)

test('every block names its language', () => {
  const known = new Set([...Object.keys(read), 'ts', 'tsx'])
  expect(blocks.filter(({ language }) => !known.has(language)).map(({ at }) => at)).toEqual([])
})

// Explain each change of this list to the reviewer. The list should get shorter.
test('every block is run, except the known blocks that give a reason', () => {
  const count = (kind: Kind): number => ofKind(kind).length
  const left = ofKind('not run')
  console.log(
    [
      `Of ${blocks.length} blocks, ${count('run')} are run and ${count('compared')} compared with what was printed, ${count('tested')} are run by tests of their own, and ${count('file')} are files that others use. ${left.length} are not run:`,
      ...left.map(({ at, language, notRun }) => `  ${at} ${language}: ${notRun}`),
      ...blocks.flatMap((block) =>
        missing(block) === undefined ? [] : [`  ${block.at}: this machine has no ${missing(block)}`],
      ),
    ].join('\n'),
  )
  expect(left.filter(({ notRun = '' }) => notRun === '').map(({ at }) => at)).toEqual([])
  expect(left.map(({ at, language }) => `${at.replace(/:\d+$/, '')} ${language}`)).toEqual([
    'README.md sh',
    'README.md mermaid',
    'docs/operations/backups.md ini',
    'docs/operations/backups.md ini',
    'docs/operations/deploying.md sh',
    'docs/operations/deploying.md sh',
    'docs/operations/deploying.md sh',
    'docs/operations/deploying.md sh',
    'docs/operations/deploying.md sh',
    'docs/operations/deploying.md sh',
    'docs/operations/monitoring.md haproxy',
    'docs/operations/monitoring.md nginx',
    'docs/operations/postgresql.md dotenv',
    'docs/operations/postgresql.md ini',
    'docs/verifying-tokens.md yaml',
    'docs/verifying-tokens.md yaml',
  ])
})

test('the test that a block names asks for this block', () => {
  const files = ofKind('tested').map(({ marks }) => marks.get('by') ?? '')
  expect(files.filter((file) => !(file.endsWith('.test.ts') && existsSync(join(repository, file))))).toEqual([])
  for (const file of files) expect(readFileSync(join(repository, file), 'utf8')).toContain('blocksOfTest(import.meta.filename)')
})

describe('a block in a readable language is well-formed', () => {
  const readable = blocks.filter((block) => kindOf(block) !== 'compared' && read[block.language] !== undefined)
  test.each(readable.map((block): [string, Block] => [block.at, block]))('%s', (_at, block) => read[block.language]?.(block))
})

describePages(pages.filter(({ path }) => path.startsWith('docs/')))
