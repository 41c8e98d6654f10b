import { open, stat } from 'node:fs/promises'
import { CommandFailed } from './failures.ts'

/**
 * Returns the size in bytes of a file that is read next; 0 for a pipe.
 *
 * @throws CommandFailed if the file cannot be read
 */
export const sizeOfFile = async (path: string): Promise<number> => {
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandFailed(`the file cannot be read (${cause.code ?? 'unknown'})`, { cause })
  })
  if (stats.isDirectory()) throw new CommandFailed('the file is a directory')
  return stats.size
}

/**
 * Reads all bytes of a file; `undefined` if there are more than `most`. Reading stops at the limit, because a pipe or a
 * device may never end.
 */
export const readAtMost = async (path: string, most: number): Promise<Buffer | undefined> => {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(most + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, null)
      if (bytesRead === 0) return bytes.subarray(0, length)
      length += bytesRead
    }
    return undefined
  } finally {
    await file.close()
  }
}
