import { CommandFailed } from './failures.ts'
import { readAtMost } from './read-at-most.ts'

/** The largest file that is read. No schema is as large; another file given by mistake is not read. */
const MOST_BYTES = 1024 * 1024

/** Reads a file with a schema. @throws CommandFailed for a file that is too large or not UTF-8 */
export const readDefinitionFile = async (path: string): Promise<string> => {
  const bytes = await readAtMost(path, MOST_BYTES)
  if (bytes === undefined) throw new CommandFailed('the file holds more than a schema')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CommandFailed('the file must be UTF-8', { cause })
  }
}
