import type { KnownPermission } from '../users/known-permissions.ts'
import { type Caller, requirePermission } from './caller.ts'

/** A user with permissions. Nothing is written for a user whose session has ended; without a session id, that is not checked. */
export type ActingUser = Pick<Caller, 'userId' | 'permissions'> & Partial<Pick<Caller, 'sessionId'>>

/** The actor of an operation: a user with permissions, or an admin at the command line, who has every permission. */
export type Actor = ActingUser | 'admin'

/** @throws Forbidden if the actor lacks the permission */
export const requireRight = (actor: Actor, needed: KnownPermission): void => {
  if (actor !== 'admin') requirePermission(actor, needed)
}
