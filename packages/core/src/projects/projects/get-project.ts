import type { Checked } from '@countersign/contract'
import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import type { ProjectDetail } from './project.ts'
import { projectNotFound } from './shown-project.ts'

/** Returns a project with everything that belongs to it. @throws Forbidden, ProjectNotFound */
export async function getProject(
  { storage }: Pick<ProjectDeps, 'storage'>,
  input: Checked<'projects.get'> & { readonly actor: Actor },
): Promise<ProjectDetail> {
  requireRight(input.actor, 'project.read')
  const project = await storage.projects.projects.byCode(input.uniqueCode)
  if (project === undefined) throw projectNotFound(input.actor)
  return project
}
