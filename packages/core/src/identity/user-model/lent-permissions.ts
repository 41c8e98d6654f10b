import type { Delegation } from '../records/delegation.ts'
import { mayDo, partsOfPermission } from './permissions.ts'

/** Returns whether a delegation covers a permission in a tenant, while its giver has the permission there. */
export const lends = (
  { permission: lent }: Pick<Delegation, 'permission'>,
  giver: { readonly permissions: readonly string[] },
  permission: `${string}.${string}`,
  tenant: string | null,
): boolean => mayDo([lent], permission, tenant) && holdsLent(giver.permissions, lent)

/** Returns whether these permissions include a permission that is delegated. */
export const holdsLent = (held: readonly string[], lent: string): boolean => {
  const { name, tenant } = partsOfPermission(lent)
  return mayDo(held, name as `${string}.${string}`, tenant)
}
