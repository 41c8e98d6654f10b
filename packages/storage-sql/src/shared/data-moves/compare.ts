import { DataMoveDiffers, DataMoveRefused } from '@countersign/core/storage'
import type { Contents } from './contents.ts'
import { type Digest, emptyDigest, isSameDigest } from './digest.ts'
import type { CopiedTables } from './progress.ts'

type Digests = ReadonlyMap<string, Digest>

const differing = (one: Digests, other: Digests): readonly string[] =>
  [...one].filter(([name, digest]) => !isSameDigest(digest, other.get(name) ?? emptyDigest)).map(([name]) => name)

/** @throws DataMoveDiffers if source or target no longer have the rows that were copied */
export const requireCopied = (source: Contents, target: Contents, copied: CopiedTables): void => {
  const digests = new Map([...copied].map(([name, { digest }]) => [name, digest]))
  const changed = differing(source.digests, digests)
  if (changed.length > 0) {
    throw new DataMoveDiffers(
      `The source was written to while it was copied (${changed.join(', ')}); stop the servers on it and run the move again`,
      changed,
    )
  }
  const wrong = differing(target.digests, digests)
  if (wrong.length > 0) {
    throw new DataMoveDiffers(
      `The target holds other rows than were copied into it (${wrong.join(', ')}); begin with an empty one`,
      wrong,
    )
  }
}

/** @throws DataMoveRefused if the target does not hold exactly the rows of the source */
export const requireMovedBefore = (source: Contents, target: Contents): void => {
  const different = differing(source.digests, target.digests)
  if (different.length === 0) return
  throw new DataMoveRefused(`The target holds other data already (${different.join(', ')}); a move takes an empty database`)
}
