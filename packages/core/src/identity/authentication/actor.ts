import type { KnownPermission } from '../users/known-permissions.ts'
import { type Caller, requirePermission } from './caller.ts'

/** The actor of an operation: a user with permissions, or an admin at the command line, who has every permission. */
export type Actor = Pick<Caller, 'userId' | 'permissions'> | 'admin'

/** @throws Forbidden if the actor lacks the permission */
export const requireRight = (actor: Actor, needed: KnownPermission): void => {
  if (actor !== 'admin') requirePermission(actor, needed)
}
