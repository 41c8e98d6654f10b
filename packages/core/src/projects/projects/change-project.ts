import type { Actor } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import { type ApprovedMembers, requireRightToChange } from './change-rights.ts'
import { projectNotFound } from './not-found.ts'
import type { Project, ProjectDetail } from './project.ts'
import { shownProject } from './shown-project.ts'
import type { ProjectChange } from './store.ts'

/**
 * Changes a project and returns the changed project. The rights and `check` are decided in the transaction of the change, so no
 * approval can happen between the check and the change.
 *
 * @param check Throws if the current project does not allow the change.
 * @throws Forbidden, ProjectNotFound, and what `check` throws
 */
export const changeProject = async (
  { storage, clock }: Pick<ProjectDeps, 'storage' | 'clock'>,
  { actor, uniqueCode, check }: { readonly actor: Actor; readonly uniqueCode: string; check?(project: Project): void },
  change: ProjectChange & ApprovedMembers,
): Promise<ProjectDetail> => {
  const { currency: _, ...changed } = change
  const project = await storage.transaction((tx) =>
    tx.projects.projects.change(uniqueCode, changed, clock.now(), (current) => {
      requireRightToChange(actor, current, change)
      check?.(current)
    }),
  )
  if (project === undefined) throw projectNotFound(actor)
  return shownProject(actor, await storage.projects.projects.detail(project))
}
