import type { approvalOperations } from '@countersign/contract'
import type { CountersignApprovals, CountersignIdentity } from '@countersign/core'
import type { HandlersOf } from '../http/operation-handler.ts'
import type { DecisionWaits } from './decision-waits.ts'
import { approvalRequestHandlers } from './routes/approval-requests.ts'
import { confirmationHandlers } from './routes/confirmations.ts'
import { eventHandlers } from './routes/events.ts'
import { receiptHandlers } from './routes/receipts.ts'
import { serviceHandlers } from './routes/services.ts'
import { vouchingHandlers } from './routes/vouching.ts'

/** Makes the handlers of approvals. */
export const approvalHandlers = (
  countersign: CountersignApprovals & Pick<CountersignIdentity, 'auth'>,
  waits: DecisionWaits,
): HandlersOf<typeof approvalOperations> => ({
  ...confirmationHandlers(countersign),
  ...serviceHandlers(countersign, waits),
  ...eventHandlers(countersign),
  ...receiptHandlers(countersign),
  ...approvalRequestHandlers(countersign),
  ...vouchingHandlers(countersign),
})
