import type { Actor } from '../../identity/authentication/actor.ts'
import { Forbidden, type NotFound } from '../../shared/errors.ts'
import { ProjectNotFound } from './errors.ts'
import { mayReadProjects } from './shown-project.ts'

/** Returns the error for a project that does not exist. An actor who cannot read projects gets `Forbidden`, and learns nothing. */
export const projectNotFound = (actor: Actor): NotFound | Forbidden =>
  mayReadProjects(actor) ? new ProjectNotFound() : new Forbidden()
