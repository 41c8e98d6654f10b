import type { Actor } from '../auth/actor.ts'
import { Forbidden, type NotFound } from '../errors.ts'
import { mayDo } from '../users/permissions.ts'
import { ProjectNotFound } from './errors.ts'

/** That there is no such project; told only to those who may read projects, so that no error tells others what exists. */
export const projectNotFound = (actor: Actor): NotFound | Forbidden =>
  actor === 'admin' || mayDo(actor.permissions, 'project.read') ? new ProjectNotFound() : new Forbidden()
