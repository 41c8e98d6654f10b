import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { CommandFailed } from './failures.ts'

/** Returns the size in bytes of a file that is read next; 0 for a pipe. @throws CommandFailed if the file cannot be read */
export const sizeOfFile = async (path: string): Promise<number> => {
  const stats = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandFailed(`the file cannot be read (${cause.code ?? 'unknown'})`, { cause })
  })
  if (stats.isDirectory()) throw new CommandFailed('the file is a directory')
  return stats.size
}

/** Reads at most this many bytes; `undefined` if there are more. Reading stops there, because a pipe may never end. */
export const collectAtMost = async (chunks: AsyncIterable<Uint8Array | string>, most: number): Promise<Buffer | undefined> => {
  const collected: Buffer[] = []
  let length = 0
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array)
    collected.push(bytes)
    length += bytes.length
    if (length > most) return undefined
  }
  return Buffer.concat(collected)
}

/** Reads all bytes of a file; `undefined` if there are more than `most`. @throws CommandFailed if the file cannot be read */
export const readAtMost = async (path: string, most: number): Promise<Buffer | undefined> =>
  (await sizeOfFile(path)) > most ? undefined : collectAtMost(createReadStream(path), most)
