import type { approvalOperations, identityOperations } from '@countersign/contract'
import type { CountersignApprovals, CountersignIdentity, CountersignProjects, Part } from '@countersign/core'
import type { DecisionWaits } from './approvals/decision-waits.ts'
import { approvalRequestHandlers } from './approvals/routes/approval-requests.ts'
import { confirmationHandlers } from './approvals/routes/confirmations.ts'
import { eventHandlers } from './approvals/routes/events.ts'
import { receiptHandlers } from './approvals/routes/receipts.ts'
import { serviceHandlers } from './approvals/routes/services.ts'
import { type HealthSettings, healthHandlers } from './health/handlers.ts'
import type { HandlersOf, OperationHandlers } from './http/operation-handler.ts'
import { accountHandlers } from './identity/routes/account.ts'
import { authHandlers } from './identity/routes/auth.ts'
import { deviceHandlers } from './identity/routes/devices.ts'
import { passkeyHandlers } from './identity/routes/passkeys.ts'
import { lazyProjectHandlers } from './projects/handlers.ts'

export type MountableCountersign = CountersignIdentity & Partial<CountersignApprovals & CountersignProjects>

/** Returns the parts that an app mounts. @throws RangeError for a part that the `Countersign` does not have */
export const mountedParts = (
  { parts }: Pick<MountableCountersign, 'parts'>,
  given: readonly Part[] = [...parts],
): ReadonlySet<Part> => {
  if (given.every((part) => parts.has(part))) return new Set(given)
  throw new RangeError(`parts must be among the parts of the Countersign: ${[...parts].join(', ')}`)
}

const identityHandlers = (countersign: CountersignIdentity): HandlersOf<typeof identityOperations> => ({
  ...authHandlers(countersign),
  ...accountHandlers(countersign),
  ...deviceHandlers(countersign),
  ...passkeyHandlers(countersign),
})

const approvalHandlers = (
  countersign: CountersignIdentity & CountersignApprovals,
  waits: DecisionWaits,
): HandlersOf<typeof approvalOperations> => ({
  ...confirmationHandlers(countersign),
  ...serviceHandlers(countersign, waits),
  ...eventHandlers(countersign),
  ...receiptHandlers(countersign),
  ...approvalRequestHandlers(countersign),
})

export const handlersOf = (
  countersign: MountableCountersign,
  parts: ReadonlySet<Part>,
  health: HealthSettings,
  waits: DecisionWaits,
): Partial<OperationHandlers> => ({
  ...(parts.has('identity') ? identityHandlers(countersign) : {}),
  // A `Countersign` has the use cases of each of its parts.
  ...(parts.has('approvals') ? approvalHandlers(countersign as CountersignIdentity & CountersignApprovals, waits) : {}),
  ...(parts.has('projects') ? lazyProjectHandlers(countersign as CountersignProjects) : {}),
  ...healthHandlers(countersign, health),
})
