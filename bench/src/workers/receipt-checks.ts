import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { answerCalls } from '../harness/calls.ts'
import { repeat } from '../harness/repeat.ts'
import type { ReceiptWithKeys } from './receipts.ts'

let given: ReceiptWithKeys

/** Verifies one receipt again and again, one verification after another. */
export const methods = {
  open: async (receipt: ReceiptWithKeys): Promise<void> => {
    given = receipt
  },
  round: (seconds: number) =>
    repeat(
      [
        async () => {
          const { verdict } = await verifyReceipt(given.receipt, given)
          if (verdict !== 'genuine') throw new Error('the receipt is not genuine')
        },
      ],
      seconds,
    ),
}

answerCalls(methods)
