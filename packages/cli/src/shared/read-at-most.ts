import { open } from 'node:fs/promises'

/**
 * All bytes of a file; `undefined` where there are more than that many. A pipe or a device, whose size nobody can ask for,
 * is not read beyond: it may never end.
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
