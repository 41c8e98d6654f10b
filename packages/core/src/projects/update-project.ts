import type { Checked } from '@countersign/contract'
import { type Actor, requireRight } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { Invalid } from '../errors.ts'
import { changeProject } from './change-project.ts'
import type { ProjectDetail } from './project.ts'

/** Changes the members that are given. @throws Forbidden, Invalid for a status that the host does not know, ProjectNotFound */
export const updateProject = async (
  deps: Pick<Deps, 'storage' | 'clock' | 'options'>,
  input: Checked<'projects.update'> & { readonly actor: Actor },
): Promise<ProjectDetail> => {
  const { actor, uniqueCode, name, contractValue, description, status, progress } = input
  requireRight(actor, 'project.update')
  const { projectStatuses } = deps.options
  if (status !== undefined && projectStatuses !== 'any' && !projectStatuses.includes(status)) {
    throw new Invalid({ status: `must be one of ${projectStatuses.join(', ')}` })
  }
  const given = { name, contractValue, description, status, progress }
  const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return changeProject(deps, actor, uniqueCode, change)
}
