import type { Checked } from '@countersign/contract'
import { type CallerOrAdmin, requireRight } from '../../identity/authentication/caller.ts'
import type { ProjectStorage } from '../deps.ts'
import type { ProjectDetail } from '../records/project.ts'
import { projectNotFound } from './shown-project.ts'

/**
 * Returns a project with everything that belongs to it. @throws Forbidden, ProjectNotFound
 * @example const project = await countersign.projects.get({ caller, uniqueCode: 'PRJ-2026-000001' })
 */
export async function getProject(
  { storage }: ProjectStorage,
  input: Checked<'projects.get'> & { readonly caller: CallerOrAdmin },
): Promise<ProjectDetail> {
  requireRight(input.caller, 'project.read')
  const project = await storage.projects.projects.byCode(input.uniqueCode)
  if (project === undefined) throw projectNotFound(input.caller)
  return project
}
