import type { CountersignApprovals } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeReceiptKeys } from '../serializers/receipt-key.ts'

export const receiptHandlers = ({ receipts }: Pick<CountersignApprovals, 'receipts'>) =>
  ({
    'confirmations.receipt': async ({ input, caller }) => ({ receipt: await receipts.ofUser({ ...input, caller }) }),
    'receipts.keys': async () => serializeReceiptKeys(await receipts.keys()),
  }) satisfies Partial<OperationHandlers>
