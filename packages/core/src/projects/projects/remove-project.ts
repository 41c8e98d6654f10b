import type { Checked } from '@countersign/contract'
import { type Actor, requireRight } from '../../identity/authentication/actor.ts'
import type { ProjectDeps } from '../deps.ts'
import { projectNotFound } from './not-found.ts'

/** Deletes a project. Its record stays in the database, with the user and the time of the deletion. @throws Forbidden, ProjectNotFound */
export const removeProject = async (
  { storage, clock }: Pick<ProjectDeps, 'storage' | 'clock'>,
  input: Checked<'projects.remove'> & { readonly actor: Actor },
): Promise<void> => {
  const { actor, uniqueCode } = input
  requireRight(actor, 'project.delete')
  const removedBy = actor === 'admin' ? null : actor.userId
  if (!(await storage.transaction((tx) => tx.projects.projects.remove(uniqueCode, removedBy, clock.now()))))
    throw projectNotFound(actor)
}
