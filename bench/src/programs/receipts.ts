import { createCountersign, generateReceiptKeyRing, parseKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { openStorage } from '@countersign/server'
import type { BenchDatabase } from '../harness/countersign.ts'
import { answerCalls } from '../harness/program.ts'
import { repeat } from '../harness/round.ts'

/** The receipt of one approval in a database. */
interface ReceiptSource {
  readonly database: BenchDatabase
  readonly confirmationId: string
  /** The user who approved. */
  readonly caller: { readonly userId: number }
}

/** The number of receipts in progress, as of as many requests. */
const AT_ONCE = 16

let make: () => Promise<unknown> = async () => {}

/** Makes the receipt of one approval again and again: reads the evidence, decrypts the encrypted fields, signs. */
export const program = answerCalls({
  open: async ({ database: { url, jwtKeys, encryptionKeys }, ...source }: ReceiptSource): Promise<void> => {
    const { receipts } = createCountersign({
      storage: await openStorage(url),
      jwtKeys: parseKeyRing(jwtKeys),
      encryptionKeys: parseKeyRing(encryptionKeys, { exactly: true }),
      receipts: { keys: parseReceiptKeyRing(generateReceiptKeyRing('Ed25519')), issuer: 'https://auth.example.com' },
    })
    make = () => receipts.ofUser(source)
  },
  round: (seconds: number) => repeat(Array(AT_ONCE).fill(make), seconds),
})
