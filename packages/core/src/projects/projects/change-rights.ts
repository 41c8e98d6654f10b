import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import { readsAsApproved } from '../records/approved-status.ts'
import type { Project } from '../records/project.ts'

/** The fields that an approval covers. A change of one of them needs `project.approve`. */
const approvedMembers = ['name', 'contractValue', 'currency', 'status'] as const

/** New values for fields that an approval covers. */
export type ApprovedMembers = Partial<Pick<Project, (typeof approvedMembers)[number]>>

/**
 * Returns whether a change approves a project, or changes one of `approvedMembers` of an approved project. A field that is given
 * its current value is not changed.
 */
export const concernsApproval = (project: Project, given: ApprovedMembers): boolean => {
  const isTouched = approvedMembers.some((member) => given[member] !== undefined && given[member] !== project[member])
  return isTouched && (readsAsApproved(project.status) || readsAsApproved(given.status ?? ''))
}

/**
 * Requires the permission `project.approve` for a change that concerns an approval.
 *
 * @param project The current project, whose row is locked in the transaction of the change.
 * @throws Forbidden
 */
export const requireRightToChange = (caller: CallerOrAdmin, project: Project, given: ApprovedMembers): void => {
  if (concernsApproval(project, given)) requireRight(caller, 'project.approve')
}
