import type { CountersignApprovals, CountersignIdentity, CountersignProjects, Part } from '@countersign/core'
import type { DecisionWaits } from './approvals/decision-waits.ts'
import { approvalHandlers } from './approvals/handlers.ts'
import { type HealthSettings, healthHandlers } from './health/handlers.ts'
import type { OperationHandlers } from './http/operation-handler.ts'
import { identityHandlers } from './identity/handlers.ts'
import { lazyProjectHandlers } from './projects/handlers.ts'

/** A `Countersign` with any parts. */
export type MountableCountersign = CountersignIdentity & Partial<CountersignApprovals & CountersignProjects>

/** Returns the parts that an app mounts. @throws RangeError for a part that the `Countersign` does not have */
export const mountedParts = (
  { parts }: Pick<MountableCountersign, 'parts'>,
  given: readonly Part[] = [...parts],
): ReadonlySet<Part> => {
  if (given.every((part) => parts.has(part))) return new Set(given)
  throw new RangeError(`parts must be among the parts of the Countersign: ${[...parts].join(', ')}`)
}

/** Returns the handlers of all operations of the parts, and of health. */
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
