import type { Checked } from '@countersign/contract'
import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import type { GatedChange } from '../deps.ts'
import { APPROVED } from '../records/approved-status.ts'
import type { ProjectDetail } from '../records/project.ts'
import { changeProject } from './change-project.ts'

/**
 * Approves a project, whatever its status. An approved project stays approved. With the gate `project.approve`, every call needs
 * an approval.
 * @throws Forbidden, ProjectNotFound
 * @throws ConfirmationRequired and the errors of consuming an approval, if the host gates approvals
 * @example await countersign.projects.approve({ caller, uniqueCode, confirmationId })
 */
export async function approveProject(
  deps: GatedChange,
  input: Checked<'projects.approve'> & { readonly caller: CallerOrAdmin },
): Promise<ProjectDetail> {
  requireRight(input.caller, 'project.approve')
  return changeProject(deps, { ...input, isAlwaysGated: true }, { status: APPROVED })
}
