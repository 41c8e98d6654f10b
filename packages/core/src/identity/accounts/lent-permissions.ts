import type { Delegation } from '../records/delegation.ts'
import { mayDo, partsOfPermission } from './permissions.ts'

/** Returns whether a delegation lends a permission in a scope, as long as its giver holds the permission there. */
export const lends = (
  { permission: lent }: Pick<Delegation, 'permission'>,
  giver: { readonly permissions: readonly string[] },
  permission: `${string}.${string}`,
  scope: string | null,
): boolean => mayDo([lent], permission, scope) && holdsLent(giver.permissions, lent)

/** Returns whether these permissions include a permission that is lent. */
export const holdsLent = (held: readonly string[], lent: string): boolean => {
  const { name, scope } = partsOfPermission(lent)
  return mayDo(held, name as `${string}.${string}`, scope)
}
