import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../workspace.ts'
import { isOnDatabase, programs } from './database.ts'
import { type Reader, sendReader } from './follow.ts'
import { type Kind, kindOf } from './kind.ts'
import { type Block, type Page, readDocuments } from './page.ts'
import { isInstalled, readers } from './read-block.ts'

const read = readers()
const pages = readDocuments()
const blocks = pages.flatMap((page) => page.blocks)
const ofKind = (kind: Kind): readonly Block[] => blocks.filter((block) => kindOf(block) === kind)

/** A program that the block says it needs and that this machine has not. */
const missing = (block: Block): string | undefined => {
  if (isOnDatabase(block)) return programs === undefined ? 'PostgreSQL with all its programs' : undefined
  const needed = block.marks.get('needs')
  return needed === undefined || isInstalled(needed) ? undefined : needed
}

test('every block says in which language it is', () => {
  const known = new Set([...Object.keys(read), 'ts', 'tsx'])
  expect(blocks.filter(({ language }) => !known.has(language)).map(({ at }) => at)).toEqual([])
})

// Whoever changes a number here has to explain it to whoever reviews the change; the fewer are not run the better.
test('blocks are run, and those that are not say why, and are as many as is known', () => {
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
    'docs/operations/postgresql.md ini',
    'docs/verifying-tokens.md yaml',
    'docs/verifying-tokens.md yaml',
  ])
})

test('what a block says it is run by is a test that asks for it', () => {
  const files = ofKind('tested').map(({ marks }) => marks.get('by') ?? '')
  expect(files.filter((file) => !(file.endsWith('.test.ts') && existsSync(join(repository, file))))).toEqual([])
  for (const file of files) expect(readFileSync(join(repository, file), 'utf8')).toContain('blocksBy(import.meta.filename)')
})

describe('what can be read is well-formed', () => {
  const readable = blocks.filter((block) => kindOf(block) !== 'compared' && read[block.language] !== undefined)
  test.each(readable.map((block): [string, Block] => [block.at, block]))('%s', (_at, block) => read[block.language]?.(block))
})

/** Whether a reader on this machine has something to do with a block. */
const isFollowed = (block: Block, index: number, all: readonly Block[]): boolean => {
  const kind = kindOf(block)
  const before = all[index - 1]
  if (kind === 'compared') return before !== undefined && isFollowed(before, index - 1, all)
  return kind === 'file' || (kind === 'run' && missing(block) === undefined)
}

const isFollowedAtAll = ({ blocks: all }: Page): boolean => all.some((block) => kindOf(block) === 'run')

describe.each(pages.filter(isFollowedAtAll).map((page): [string, Page] => [page.path, page]))(
  '%s, followed from top to bottom',
  (_path, page) => {
    let reader: Reader
    beforeAll(async () => {
      reader = await sendReader(page)
    })
    afterAll(() => reader?.leave())

    test.each(page.blocks.filter(isFollowed).map((block): [string, Block] => [`${block.at} ${block.language}`, block]))(
      '%s',
      (_at, block) => reader.follow(block),
      180_000,
    )
  },
)
