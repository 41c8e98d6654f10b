import { requireRight } from '../../identity/authentication/caller.ts'
import { holdSession } from '../../identity/sessions/bound-of-caller.ts'
import type { ByCaller, GatedChange } from '../deps.ts'
import type { Project } from '../records/project.ts'
import { approverOf, projectAction } from './gated-action.ts'
import { projectNotFound } from './shown-project.ts'

/**
 * Deletes a project; its record stays. The gate `project.delete` consumes an approval in the same transaction.
 * @throws InvalidAccessToken, Forbidden, ProjectNotFound, ConfirmationRequired and the errors of consuming an approval
 * @example await countersign.projects.remove({ caller, uniqueCode, confirmationId })
 */
export async function removeProject(deps: GatedChange, input: ByCaller<'projects.remove'>): Promise<void> {
  const { storage, clock, passGate } = deps
  const { caller, uniqueCode, confirmationId } = input
  requireRight(caller, 'project.delete')
  const removedBy = caller === 'admin' ? null : caller.userId
  const isRemoved = await storage.transaction(async (tx) => {
    if (caller !== 'admin') await holdSession(tx, caller)
    let before: Project | undefined
    const found = await tx.projects.projects.remove(uniqueCode, removedBy, clock.now(), (project) => {
      before = project
    })
    if (!found || before === undefined) return false
    const states = { before, after: undefined }
    const approver = approverOf(caller, confirmationId)
    await passGate(tx, 'project.delete', { approver, action: (type) => projectAction(type, 'project.delete', states) })
    return true
  })
  if (!isRemoved) throw projectNotFound(caller)
}
