import type { Actor } from '../../identity/authentication/actor.ts'
import { mayDo } from '../../identity/users/permissions.ts'
import type { ProjectDetail } from './project.ts'

/** Whether the actor may read projects, and so may know of users who take part in them. */
export const mayReadProjects = (actor: Actor): boolean => actor === 'admin' || mayDo(actor.permissions, 'project.read')

/**
 * The project as its actor may see it after a change. Participants are shown to readers of projects only: whoever may create
 * a project could name any user id otherwise, and learn whose it is.
 */
export const shownProject = (actor: Actor, project: ProjectDetail): ProjectDetail =>
  mayReadProjects(actor) ? project : { ...project, participants: [] }
