import { afterAll, beforeAll, describe, test } from 'vitest'
import { kindOf } from './block-kind.ts'
import { isOnDatabase, programs } from './database.ts'
import { type Reader, sendReader } from './follow-page.ts'
import type { Block, Page } from './page.ts'
import { isInstalled } from './read-block.ts'

/** Returns the program that a block needs and this machine lacks; `undefined` if nothing is missing. */
export const missing = (block: Block): string | undefined => {
  if (isOnDatabase(block)) return programs === undefined ? 'PostgreSQL with all its programs' : undefined
  const needed = block.marks.get('needs')
  return needed === undefined || isInstalled(needed) ? undefined : needed
}

/** Returns whether a reader on this machine can follow a block. */
const isFollowed = (block: Block, index: number, all: readonly Block[]): boolean => {
  const kind = kindOf(block)
  const before = all[index - 1]
  if (kind === 'compared') return before !== undefined && isFollowed(before, index - 1, all)
  return kind === 'file' || (kind === 'run' && missing(block) === undefined)
}

const isFollowedAtAll = ({ blocks: all }: Page): boolean => all.some((block) => kindOf(block) === 'run')

/** Describes one test for each block. The blocks of a page are followed from top to bottom. */
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
