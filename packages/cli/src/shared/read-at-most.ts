import { open } from 'node:fs/promises'

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
