import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import { isApproved, type Project } from './project.ts'

/** The members that an approval vouches for. */
const approvedMembers = ['name', 'contractValue', 'currency', 'status'] as const

/** The new values of those members, as far as they are given. */
export type ApprovedMembers = Partial<Pick<Project, (typeof approvedMembers)[number]>>

/**
 * Requires `project.approve` of a change that approves a project, or that changes what an approval vouches for. A member that
 * is given with its present value is no change.
 *
 * @param project The project as it stands, held in the transaction of the change.
 * @throws Forbidden
 */
export const requireRightToChange = (actor: Actor, project: Project, given: ApprovedMembers): void => {
  const isTouched = approvedMembers.some((member) => given[member] !== undefined && given[member] !== project[member])
  if (isTouched && (isApproved(project.status) || isApproved(given.status ?? ''))) requireRight(actor, 'project.approve')
}
