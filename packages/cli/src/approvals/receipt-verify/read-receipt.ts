import type { CommandContext } from '../../shared/command-context.ts'
import { CommandFailed } from '../../shared/failures.ts'
import { readAtMost, sizeOfFile } from '../../shared/read-at-most.ts'

/** The largest file that is read. A receipt is much smaller, also within the answer of a service. */
export const MOST_BYTES = 1024 * 1024

/** Reads bytes up to the limit; `undefined` if there are more. */
export const collectAtMost = async (
  chunks: AsyncIterable<Uint8Array | string>,
  most: number = MOST_BYTES,
): Promise<Buffer | undefined> => {
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

const readBytes = async (path: string, { stdin }: Pick<CommandContext, 'stdin'>): Promise<Buffer | undefined> => {
  if (path === '-') return collectAtMost(stdin)
  return (await sizeOfFile(path)) > MOST_BYTES ? undefined : readAtMost(path, MOST_BYTES)
}

/** Returns the receipt in the answer of a service or of this command: `{ data: { receipt } }` or `{ receipt }`. */
const receiptIn = (json: string): string => {
  try {
    const { data, receipt = data?.receipt } = JSON.parse(json) as {
      readonly data?: { readonly receipt?: unknown }
      readonly receipt?: unknown
    }
    if (typeof receipt === 'string') return receipt
  } catch {
    // No JSON, so no receipt either.
  }
  throw new CommandFailed('the file is JSON without a receipt: expected { "receipt": "…" } or { "data": { "receipt": "…" } }')
}

/**
 * Reads a receipt from a file or from standard input. White space around the receipt is no part of it.
 *
 * @throws CommandFailed
 */
export const readReceipt = async (path: string, context: Pick<CommandContext, 'stdin'>): Promise<string> => {
  const bytes = await readBytes(path, context)
  if (bytes === undefined) throw new CommandFailed('the file holds more than a receipt')
  const text = bytes.toString().trim()
  return text.startsWith('{') ? receiptIn(text) : text
}
