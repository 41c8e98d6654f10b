import { generateKeyPairSync } from 'node:crypto'
import { CompactSign } from 'jose'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'

/** The number of signatures in progress, as in the benchmark of receipts. */
const AT_ONCE = 16

let payload: Uint8Array

/** Signs the payload of one receipt again and again with `jose`, and does nothing else. */
export const methods = {
  open: async (receipt: string): Promise<void> => {
    payload = Buffer.from(receipt.split('.')[1] ?? '', 'base64url')
  },
  round: (seconds: number) => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const sign = async () => void (await new CompactSign(payload).setProtectedHeader({ alg: 'Ed25519' }).sign(privateKey))
    return repeat(
      Array.from({ length: AT_ONCE }, () => sign),
      seconds,
    )
  },
}

answerCalls(methods)
