import { afterAll, beforeAll, describe, test } from 'vitest'
import { isOnDatabase, programs } from './database.ts'
import { type Reader, sendReader } from './follow.ts'
import { kindOf } from './kind.ts'
import type { Block, Page } from './page.ts'
import { isInstalled } from './read-block.ts'

/** A program that the block says it needs and that this machine has not. */
export const missing = (block: Block): string | undefined => {
  if (isOnDatabase(block)) return programs === undefined ? 'PostgreSQL with all its programs' : undefined
  const needed = block.marks.get('needs')
  return needed === undefined || isInstalled(needed) ? undefined : needed
}

/** Whether a reader on this machine has something to do with a block. */
const isFollowed = (block: Block, index: number, all: readonly Block[]): boolean => {
  const kind = kindOf(block)
  const before = all[index - 1]
  if (kind === 'compared') return before !== undefined && isFollowed(before, index - 1, all)
  return kind === 'file' || (kind === 'run' && missing(block) === undefined)
}

const isFollowedAtAll = ({ blocks: all }: Page): boolean => all.some((block) => kindOf(block) === 'run')

/** Follows each page from top to bottom, a test for each block. */
export const describePages = (pages: readonly Page[]): void => {
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
}
