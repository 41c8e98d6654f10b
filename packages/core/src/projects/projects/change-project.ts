import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import { holdSession } from '../../identity/sessions/bound-of-caller.ts'
import type { GatedChange } from '../deps.ts'
import { readsAsApproved } from '../records/approved-status.ts'
import type { Project, ProjectChange, ProjectDetail } from '../records/project.ts'
import { approverOf, projectAction } from './gated-action.ts'
import { projectNotFound, shownProject } from './shown-project.ts'

/** The fields that an approval covers. A change of one of them needs `project.approve`. */
const approvedMembers = ['name', 'contractValue', 'currency', 'status'] as const

type ApprovedMembers = Partial<Pick<Project, (typeof approvedMembers)[number]>>

/** Returns whether a change approves a project, or really changes one of `approvedMembers` of an approved project. */
const concernsApproval = (project: Project, given: ApprovedMembers): boolean => {
  const isTouched = approvedMembers.some((member) => given[member] !== undefined && given[member] !== project[member])
  return isTouched && (readsAsApproved(project.status) || readsAsApproved(given.status ?? ''))
}

interface Changing {
  readonly caller: CallerOrAdmin
  readonly uniqueCode: string
  readonly confirmationId?: string | undefined
  /** True if the change passes the gate `project.approve` even if it changes no field. */
  readonly isAlwaysGated?: boolean
  check?(project: Project): void
}

/**
 * Changes a project and returns it. The rights, `check` and the gate are decided in the transaction of the change.
 * @throws InvalidAccessToken, Forbidden, ProjectNotFound, what `check` throws, and the errors of `PassGate`
 */
export const changeProject = async (
  { storage, clock, passGate }: GatedChange,
  { caller, uniqueCode, confirmationId, isAlwaysGated = false, check }: Changing,
  change: ProjectChange & ApprovedMembers,
): Promise<ProjectDetail> => {
  const { currency: _, ...changed } = change
  const project = await storage.transaction(async (tx) => {
    if (caller !== 'admin') await holdSession(tx, caller)
    let before: Project | undefined
    const after = await tx.projects.projects.change(uniqueCode, changed, clock.now(), (current) => {
      if (concernsApproval(current, change)) requireRight(caller, 'project.approve')
      check?.(current)
      before = current
    })
    if (before === undefined || after === undefined) return undefined
    const states = { before, after }
    if (isAlwaysGated || concernsApproval(before, change)) {
      const approver = approverOf(caller, confirmationId)
      const operation = !isAlwaysGated && readsAsApproved(before.status) ? 'project.update' : 'project.approve'
      await passGate(tx, 'project.approve', { approver, action: (actionType) => projectAction(actionType, operation, states) })
    }
    return after
  })
  if (project === undefined) throw projectNotFound(caller)
  return shownProject(caller, await storage.projects.projects.detail(project))
}
