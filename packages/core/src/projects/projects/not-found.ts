import type { Actor } from '../../identity/authentication/actor.ts'
import { Forbidden, type NotFound } from '../../shared/errors.ts'
import { ProjectNotFound } from './errors.ts'
import { mayReadProjects } from './shown-project.ts'

/** That there is no such project; told only to those who may read projects, so that no error tells others what exists. */
export const projectNotFound = (actor: Actor): NotFound | Forbidden =>
  mayReadProjects(actor) ? new ProjectNotFound() : new Forbidden()
