import type { CommandContext } from '../../shared/command-context.ts'
import { CommandFailed } from '../../shared/failures.ts'
import { parseJson } from '../../shared/parse-json.ts'
import { collectAtMost, readAtMost } from '../../shared/read-at-most.ts'

/** The largest file that is read. A receipt is much smaller, also within the answer of a service. */
export const MOST_BYTES = 1024 * 1024

/** Returns the receipt in the answer of a service or of this command: `{ data: { receipt } }` or `{ receipt }`. */
const receiptIn = (json: string): string => {
  const { data, receipt = data?.receipt } = Object(parseJson(json)) as {
    readonly data?: { readonly receipt?: unknown } | null
    readonly receipt?: unknown
  }
  if (typeof receipt === 'string') return receipt
  throw new CommandFailed('the file is JSON without a receipt: expected { "receipt": "…" } or { "data": { "receipt": "…" } }')
}

/** Reads a receipt from a file or from standard input, without the white space around it. @throws CommandFailed */
export const readReceipt = async (path: string, { stdin }: Pick<CommandContext, 'stdin'>): Promise<string> => {
  const bytes = await (path === '-' ? collectAtMost(stdin, MOST_BYTES) : readAtMost(path, MOST_BYTES))
  if (bytes === undefined) throw new CommandFailed('the file holds more than a receipt')
  const text = bytes.toString().trim()
  return text.startsWith('{') ? receiptIn(text) : text
}
