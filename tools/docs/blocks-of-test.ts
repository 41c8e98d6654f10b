import { relative, sep } from 'node:path'
import { repository } from '../workspace.ts'
import { type Block, readDocuments } from './page.ts'

/** Returns the name of a file as in the `by=` of a block. */
const nameOf = (file: string): string => relative(repository, file).split(sep).join('/')

/** Returns the blocks that a test runs itself: those with `by=<path of the test>`. Throws if there are none. */
export const blocksOfTest = (file: string): readonly [Block, ...Block[]] => {
  const [first, ...others] = readDocuments().flatMap(({ blocks }) =>
    blocks.filter(({ marks }) => marks.get('by') === nameOf(file)),
  )
  if (first === undefined) throw new Error(`No page has a block by=${nameOf(file)}`)
  return [first, ...others]
}
