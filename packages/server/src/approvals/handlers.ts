import type { approvalOperations } from '@countersign/contract'
import type { CountersignApprovals } from '@countersign/core'
import type { HandlersOf } from '../http/operation-handler.ts'
import { confirmationHandlers } from './routes/confirmations.ts'
import { vouchingHandlers } from './routes/vouching.ts'

/** Makes the handlers of approvals. */
export const approvalHandlers = (countersign: CountersignApprovals): HandlersOf<typeof approvalOperations> => ({
  ...confirmationHandlers(countersign),
  ...vouchingHandlers(countersign),
})
