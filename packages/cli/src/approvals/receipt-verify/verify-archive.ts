import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { ReceiptStep } from '@countersign/client-sdk/receipt'
import { CommandFailed } from '../../shared/command-failed.ts'
import { exitCodes } from '../../shared/exit-codes.ts'
import { sizeOfFile } from '../../shared/file-size.ts'
import type { Answer } from '../../shared/output.ts'

/** A confirmation whose receipt is refused. */
interface Refused {
  readonly id: string
  readonly step: ReceiptStep | 'confirmation'
  readonly reason: string
}

interface Line {
  readonly id: string
  readonly receipt: string | null
}

/** Returns whether a file is an archive of `countersign archive`. */
export const isArchive = (path: string): boolean => path.endsWith('.ndjson')

const parse = (text: string, number: number): Line => {
  try {
    const { id, receipt } = JSON.parse(text) as Partial<Line>
    if (typeof id === 'string' && (typeof receipt === 'string' || receipt === null)) return { id, receipt }
  } catch {
    // No JSON, so no confirmation either.
  }
  throw new CommandFailed(`line ${number} of the archive is no confirmation`)
}

const textOf = (refused: readonly Refused[], counts: Readonly<Record<string, number>>): readonly string[] => [
  refused.length === 0 ? 'Every receipt of the archive is genuine.' : 'REFUSED: receipts of the archive prove nothing.',
  ...Object.entries(counts).map(([what, count]) => `${count} ${what}`),
  ...refused.map(({ id, step, reason }) => `${id}: ${step}: ${reason}`),
]

/**
 * Checks every receipt of an archive offline. A receipt of another confirmation than its line is refused.
 *
 * @throws CommandFailed
 */
export const verifyArchive = async (path: string, placeOfKeys: string): Promise<Answer> => {
  const [{ verifyReceipt }, { readKeys }] = await Promise.all([
    import('@countersign/client-sdk/receipt'),
    import('./read-keys.ts'),
  ])
  // Fails with a message for people where there is no file.
  await sizeOfFile(path)
  const keys = await readKeys(placeOfKeys)
  const refused: Refused[] = []
  let [number, genuine, partial, withoutReceipt] = [0, 0, 0, 0]
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    const { id, receipt } = parse(text, number)
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
    json: { genuine, partial, withoutReceipt, refused },
    text: textOf(refused, counts),
    exitCode: refused.length === 0 ? exitCodes.success : exitCodes.failed,
  }
}
