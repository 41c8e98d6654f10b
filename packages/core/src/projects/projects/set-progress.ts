import type { Checked } from '@countersign/contract'
import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import { changeProject } from './change-project.ts'
import type { ProjectDetail } from './project.ts'

/** Moves a project to a stage; every stage can follow every other. @throws Forbidden, ProjectNotFound */
export const setProgress = async (
  deps: Pick<ProjectDeps, 'storage' | 'clock'>,
  input: Checked<'projects.setProgress'> & { readonly actor: Actor },
): Promise<ProjectDetail> => {
  requireRight(input.actor, 'project.update')
  return changeProject(deps, input, { progress: input.progress })
}
