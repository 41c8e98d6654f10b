import type { Actor } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import { type ApprovedMembers, requireRightToChange } from './change-rights.ts'
import { projectNotFound } from './not-found.ts'
import type { Project, ProjectDetail } from './project.ts'
import { shownProject } from './shown-project.ts'
import type { ProjectChange } from './store.ts'

/**
 * Changes a project and shows the project as this change left it. Rights and checks are decided on the project as it stands
 * in the very moment of the change, so that no approval comes in between.
 *
 * @param check Throws where the project as it stands does not take the change.
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
