import type { CallerOrAdmin } from '../../identity/authentication/caller.ts'
import { mayDo } from '../../identity/user-model/permissions.ts'
import { Forbidden, type NotFound } from '../../shared/errors.ts'
import type { ProjectDetail } from '../records/project.ts'
import { ProjectNotFound } from './errors.ts'

/** Returns the error for a project that does not exist. Callers who cannot read projects get `Forbidden`, and learn nothing. */
export const projectNotFound = (caller: CallerOrAdmin): NotFound | Forbidden =>
  mayReadProjects(caller) ? new ProjectNotFound() : new Forbidden()

/** Returns whether the caller may read projects and their participants. */
export const mayReadProjects = (caller: CallerOrAdmin): boolean => caller === 'admin' || mayDo(caller.permissions, 'project.read')

/**
 * Returns the project as the caller may see it. Only callers who may read projects see the participants. Otherwise a caller who may
 * create projects could name any user id, and read the name and email of that user.
 */
export const shownProject = (caller: CallerOrAdmin, project: ProjectDetail): ProjectDetail =>
  mayReadProjects(caller) ? project : { ...project, participants: [] }
