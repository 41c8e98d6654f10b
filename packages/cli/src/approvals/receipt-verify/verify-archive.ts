import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ReceiptStep } from '@countersign/client-sdk/receipt'
import { CommandFailed } from '../../shared/failures.ts'
import type { Answer } from '../../shared/output.ts'
import { parseJson } from '../../shared/parse-json.ts'
import { sizeOfFile } from '../../shared/read-at-most.ts'

const LINE_FEED = 0x0a

interface Refused {
  readonly id: string
  readonly step: ReceiptStep | 'confirmation'
  readonly reason: string
}

interface Line {
  readonly id: string
  readonly receipt: string | null
}

export const isArchive = (path: string): boolean => path.endsWith('.ndjson')

const parse = (text: string): Line | undefined => {
  const { id, receipt } = Object(parseJson(text)) as Partial<Line>
  return typeof id === 'string' && (typeof receipt === 'string' || receipt === null) ? { id, receipt } : undefined
}

/**
 * Reads the confirmations of an archive. If the archiving was killed, the last line may be cut off: its confirmation is in the
 * database or in the next archive, and `onCutOff` is called. @throws CommandFailed for any other line that is not a confirmation
 */
async function* linesOf(path: string, onCutOff: () => void): AsyncGenerator<Line> {
  let bad: number | undefined
  let number = 0
  const refuse = () => new CommandFailed(`line ${bad} of the archive is no confirmation`)
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (bad !== undefined) throw refuse()
    number += 1
    const line = parse(text)
    if (line === undefined) bad = number
    else yield line
  }
  if (bad === undefined) return
  if (await endsWithLineFeed(path)) throw refuse()
  onCutOff()
}

const endsWithLineFeed = async (path: string): Promise<boolean> => {
  const start = (await sizeOfFile(path)) - 1
  for await (const bytes of createReadStream(path, { start }) as AsyncIterable<Buffer>) return bytes.at(-1) === LINE_FEED
  return false
}

const textOf = (refused: readonly Refused[], counts: Readonly<Record<string, number>>): readonly string[] => [
  refused.length === 0 ? 'Every receipt of the archive is genuine.' : 'REFUSED: receipts of the archive prove nothing.',
  ...Object.entries(counts).map(([what, count]) => `${count} ${what}`),
  ...refused.map(({ id, step, reason }) => `${id}: ${step}: ${reason}`),
]

/** Checks every receipt of an archive offline, and refuses a receipt of another confirmation. @throws CommandFailed */
export const verifyArchive = async (path: string, placeOfKeys: string): Promise<Answer> => {
  const [{ verifyReceipt }, { readKeys }] = await Promise.all([
    import('@countersign/client-sdk/receipt'),
    import('./read-keys.ts'),
  ])
  // Fails with a message for people if there is no file.
  await sizeOfFile(path)
  const keys = await readKeys(placeOfKeys)
  const refused: Refused[] = []
  let [genuine, partial, withoutReceipt, cutOff] = [0, 0, 0, 0]
  const countCutOff = () => {
    cutOff += 1
  }
  for await (const { id, receipt } of linesOf(path, countCutOff)) {
    if (receipt === null) {
      withoutReceipt += 1
      continue
    }
    const verdict = await verifyReceipt(receipt, { keys })
    if (verdict.verdict === 'refused') refused.push({ id, step: verdict.step, reason: verdict.reason })
    else if (verdict.confirmation.id !== id)
      refused.push({ id, step: 'confirmation', reason: 'the receipt is one of another confirmation' })
    else if (verdict.verdict === 'genuine') genuine += 1
    else partial += 1
  }
  const counts = { genuine, 'genuine in part': partial, refused: refused.length, 'without a receipt': withoutReceipt }
  return {
    json: { genuine, partial, withoutReceipt, cutOff, refused },
    ...(cutOff > 0 && { warnings: ['the last line was cut off: its confirmation is in the database, or in the next archive'] }),
    text: textOf(refused, counts),
    failed: refused.length > 0,
  }
}
