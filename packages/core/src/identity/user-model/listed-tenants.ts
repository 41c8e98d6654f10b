import { permissionsByTenant } from './permissions.ts'

/** The most tenants that an answer lists. */
const MOST_TENANTS = 100

/** The permissions that hold in one tenant only, by tenant. */
export interface ListedTenants {
  readonly tenants: Record<string, string[]>
  /** Present if there are more tenants. */
  readonly tenantsTruncated?: true
}

/** Returns the permissions of each tenant, at most 100; for a question about one tenant, of that one alone. */
export const listedTenants = (held: readonly string[], asked: string | null): ListedTenants => {
  const tenants = [...permissionsByTenant(held)].filter(([tenant]) => asked === null || tenant === asked)
  return {
    tenants: Object.fromEntries(tenants.slice(0, MOST_TENANTS).map(([tenant, permissions]) => [tenant, [...permissions]])),
    ...(tenants.length > MOST_TENANTS && { tenantsTruncated: true }),
  }
}
