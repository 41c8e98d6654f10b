import { ConfirmationNotApproved } from '../use/errors.ts'
import type { Use } from '../use/use.ts'

interface Presented {
  readonly userId: number
  /** The id of a confirmation, or of an approval request. */
  readonly id: string
  /** True if the action has a policy, so that the approval of the caller alone is not enough. */
  readonly needsRequest: boolean
}

/**
 * Returns the use of an approval by a gate. The gate accepts only approval requests that the caller started.
 * @throws ConfirmationNotApproved if the action has a policy, and the id is not the id of a request
 */
export const gateUse = ({ userId, id, needsRequest }: Presented, name: string): Pick<Use, 'subject' | 'consumer'> => {
  const consumer = { kind: 'gate', name, key: null } as const
  if (!needsRequest) return { subject: { confirmationId: id, userId }, consumer }
  if (!id.startsWith('appr_')) throw new ConfirmationNotApproved()
  return { subject: { requestId: id, isKnown: ({ requestedBy }) => requestedBy === userId }, consumer }
}
