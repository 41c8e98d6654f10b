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

/** Returns the project. Only readers of projects get the participants: others could name any user id, and read its email. */
export const shownProject = (caller: CallerOrAdmin, project: ProjectDetail): ProjectDetail =>
  mayReadProjects(caller) ? project : { ...project, participants: [] }
