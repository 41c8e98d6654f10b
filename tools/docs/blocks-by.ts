import { relative, sep } from 'node:path'
import { repository } from '../workspace.ts'
import { type Block, readDocuments } from './page.ts'

/** How a file is named in a block's `by=`. */
const nameOf = (file: string): string => relative(repository, file).split(sep).join('/')

/** The blocks that leave their running to a test, given the test's file: those with `by=<its path>`. Throws where there are none. */
export const blocksBy = (file: string): readonly [Block, ...Block[]] => {
  const [first, ...others] = readDocuments().flatMap(({ blocks }) =>
    blocks.filter(({ marks }) => marks.get('by') === nameOf(file)),
  )
  if (first === undefined) throw new Error(`No page has a block by=${nameOf(file)}`)
  return [first, ...others]
}
