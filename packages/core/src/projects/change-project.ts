import { type Actor, requireRight } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { projectNotFound } from './not-found.ts'
import { APPROVED, type ProjectDetail } from './project.ts'
import type { ProjectChange } from './store.ts'

/**
 * Changes a project and shows it as this change left it. Approving needs its own right, however it is done.
 *
 * @throws Forbidden, ProjectNotFound
 */
export const changeProject = async (
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  actor: Actor,
  uniqueCode: string,
  change: ProjectChange,
): Promise<ProjectDetail> => {
  if (change.status === APPROVED) requireRight(actor, 'project.approve')
  const changed = await storage.transaction((tx) => tx.projects.change(uniqueCode, change, clock.now()))
  if (changed === undefined) throw projectNotFound(actor)
  return storage.projects.detail(changed)
}
