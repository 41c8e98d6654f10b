import { readdirSync, readFileSync } from 'node:fs'
import type { ReceiptKeys, ReceiptStep } from '../receipt/index.ts'

/** A receipt with its keys and the expected verdict (`test/receipt-vectors/`). */
export interface ReceiptVector {
  readonly name: string
  readonly description: string
  readonly expected: {
    readonly verdict: 'genuine' | 'partial' | 'refused'
    readonly unchecked?: readonly string[]
    readonly step?: ReceiptStep
  }
  readonly keys: ReceiptKeys
  readonly receipt: string
}

const directory = new URL('../../test/receipt-vectors/', import.meta.url)

export const receiptVectors: readonly ReceiptVector[] = readdirSync(directory)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ name: file.slice(0, -'.json'.length), ...JSON.parse(readFileSync(new URL(file, directory), 'utf8')) }))
