import type { Checked } from '@countersign/contract'
import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import type { GatedChange } from '../deps.ts'
import type { ProjectDetail } from '../records/project.ts'
import { changeProject } from './change-project.ts'

/**
 * Sets the progress of a project. Every stage may follow every other stage. @throws Forbidden, ProjectNotFound
 * @example await countersign.projects.setProgress({ caller, uniqueCode, progress: 'in_production' })
 */
export async function setProgress(
  deps: GatedChange,
  input: Checked<'projects.setProgress'> & { readonly caller: CallerOrAdmin },
): Promise<ProjectDetail> {
  requireRight(input.caller, 'project.update')
  return changeProject(deps, input, { progress: input.progress })
}
