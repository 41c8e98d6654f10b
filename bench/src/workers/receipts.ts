import {
  type Countersign,
  createCountersign,
  generateReceiptKeyRing,
  parseKeyRing,
  parseReceiptKeyRing,
  type ReceiptAlgorithm,
} from '@countersign/core'
import { openStorage } from '@countersign/server'
import { answerCalls } from '../harness/calls.ts'
import type { BenchDatabase } from '../harness/database.ts'
import { repeat } from '../harness/repeat.ts'

/** The receipts of one approval in a database. */
export interface ReceiptSource {
  readonly database: BenchDatabase
  readonly confirmationId: string
  /** The user who approved. */
  readonly caller: { readonly userId: number }
  readonly algorithm: ReceiptAlgorithm
}

/** A receipt, and the keys that verify it. */
export interface ReceiptWithKeys {
  readonly receipt: string
  readonly keys: { readonly keys: readonly { readonly kty: string; readonly kid: string; readonly alg: string }[] }
}

/** The number of receipts in progress, as of as many requests. */
const AT_ONCE = 16

let receipts: Countersign['receipts']
let source: ReceiptSource

/** Makes the receipt of one approval again and again: reads the evidence, opens the encrypted fields, signs. */
export const methods = {
  open: async (given: ReceiptSource): Promise<ReceiptWithKeys> => {
    const { url, jwtKeys, encryptionKeys } = given.database
    source = given
    ;({ receipts } = createCountersign({
      storage: await openStorage(url),
      jwtKeys: parseKeyRing(jwtKeys),
      encryptionKeys: parseKeyRing(encryptionKeys, { exactly: true }),
      receipts: { keys: parseReceiptKeyRing(generateReceiptKeyRing(given.algorithm)), issuer: 'https://auth.example.com' },
    }))
    const receipt = await receipts.ofUser(given)
    const keys = (await receipts.keys()).map(({ kid, alg, jwk }) => ({ ...jwk, kid, alg }))
    return { receipt, keys: { keys } }
  },
  round: (seconds: number) =>
    repeat(
      Array.from({ length: AT_ONCE }, () => async () => void (await receipts.ofUser(source))),
      seconds,
    ),
}

answerCalls(methods)
