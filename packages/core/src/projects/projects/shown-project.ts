import type { Actor } from '../../identity/authentication/actor.ts'
import { mayDo } from '../../identity/users/permissions.ts'
import { Forbidden, type NotFound } from '../../shared/errors.ts'
import { ProjectNotFound } from './errors.ts'
import type { ProjectDetail } from './project.ts'

/** Returns the error for a project that does not exist. An actor who cannot read projects gets `Forbidden`, and learns nothing. */
export const projectNotFound = (actor: Actor): NotFound | Forbidden =>
  mayReadProjects(actor) ? new ProjectNotFound() : new Forbidden()

/** Returns whether the actor may read projects and their participants. */
export const mayReadProjects = (actor: Actor): boolean => actor === 'admin' || mayDo(actor.permissions, 'project.read')

/**
 * Returns the project as the actor may see it. Only actors who may read projects see the participants. Otherwise an actor who may
 * create projects could name any user id, and read the name and email of that user.
 */
export const shownProject = (actor: Actor, project: ProjectDetail): ProjectDetail =>
  mayReadProjects(actor) ? project : { ...project, participants: [] }
