import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import { isApproved, type Project } from './project.ts'

/** The fields that an approval covers. A change of one of them needs `project.approve`. */
const approvedMembers = ['name', 'contractValue', 'currency', 'status'] as const

/** New values for fields that an approval covers. */
export type ApprovedMembers = Partial<Pick<Project, (typeof approvedMembers)[number]>>

/**
 * Requires the permission `project.approve` for a change that approves a project, and for a change of the covered fields of an
 * approved project. A field with its current value is not a change.
 *
 * @param project The current project, whose row is locked in the transaction of the change.
 * @throws Forbidden
 */
export const requireRightToChange = (actor: Actor, project: Project, given: ApprovedMembers): void => {
  const isTouched = approvedMembers.some((member) => given[member] !== undefined && given[member] !== project[member])
  if (isTouched && (isApproved(project.status) || isApproved(given.status ?? ''))) requireRight(actor, 'project.approve')
}
