import type { RequiredAction } from '../../approvals/doors/errors.ts'
import type { Approver } from '../../approvals/doors/operator-gate.ts'
import type { CallerOrAdmin } from '../../identity/authentication/caller.ts'
import { toIsoTimestamp } from '../../shared/clock.ts'
import { escapeDirections } from '../../shared/hidden-characters.ts'
import type { Project } from '../records/project.ts'

type ProjectActionType = 'document_approval' | 'settings_change'

/** Returns the user whose approval counts. An admin at the command line is not a user, and cannot approve. */
export const approverOf = (caller: CallerOrAdmin, confirmationId: string | undefined): Approver => ({
  userId: caller === 'admin' ? undefined : caller.userId,
  confirmationId,
})

/** The fields of a project that an approval covers, as a payload shows them. */
const covered = ({ name, status, contractValue, currency }: Project) => ({
  name: escapeDirections(name),
  status: escapeDirections(status),
  amount: contractValue,
  currency,
})

/** Names the old value of each covered field that changes, such as `oldStatus`. */
const oldValues = (before: Project, after: Project): Record<string, unknown> => {
  const old = covered(before)
  const next = covered(after)
  return {
    ...(old.name === next.name ? {} : { oldName: old.name }),
    ...(old.status === next.status ? {} : { oldStatus: old.status }),
    ...(old.amount === next.amount ? {} : { oldAmount: old.amount }),
  }
}

/**
 * Returns the action to approve. `version` is the time of the project's last change: after any change, an approval is of another
 * action.
 * @param after The project after the change; `undefined` for a deletion.
 */
export const projectAction = (
  actionType: ProjectActionType,
  operation: 'project.approve' | 'project.update' | 'project.delete',
  { before, after }: { readonly before: Project; readonly after: Project | undefined },
): RequiredAction => {
  const documentId = escapeDirections(before.uniqueCode)
  const version = toIsoTimestamp(before.updatedAt)
  if (actionType === 'settings_change') {
    const oldValue = { ...covered(before), version }
    const newValue = after === undefined ? null : covered(after)
    return { actionType, actionPayload: { settingKey: `project ${documentId}`, oldValue, newValue, operation } }
  }
  const { name, ...shown } = covered(after ?? before)
  const document = { documentId, documentName: name, operation, version, ...shown }
  return { actionType, actionPayload: { ...document, ...oldValues(before, after ?? before) } }
}
