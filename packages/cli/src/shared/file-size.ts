import { stat } from 'node:fs/promises'
import { CommandFailed } from './command-failed.ts'

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
