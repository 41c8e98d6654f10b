import type { KnownPermission } from '../users/known-permissions.ts'
import { type Caller, requirePermission } from './caller.ts'

/** Who does something: a user, with what they may do, or an admin at the command line, who may do everything. */
export type Actor = Pick<Caller, 'userId' | 'permissions'> | 'admin'

/** @throws Forbidden where the actor lacks the permission */
export const requireRight = (actor: Actor, needed: KnownPermission): void => {
  if (actor !== 'admin') requirePermission(actor, needed)
}
