import type { Bound } from '../records/bound.ts'
import type { Delegation } from '../records/delegation.ts'

/** The form of a tenant: a customer, company or team of the host. Countersign compares tenants and never interprets them. */
const TENANT = '[A-Za-z0-9._:-]{1,64}'

/**
 * The format of permissions: `<resource>.<action>`. `<resource>.*` grants every action of a resource, `*.*` grants everything. A
 * permission applies everywhere, or in the tenant after `@`: `payment.approve@acme`.
 */
const PERMISSION = new RegExp(`^(?:\\*\\.\\*|[a-z][a-z0-9_-]{0,63}\\.(?:\\*|[a-z][a-z0-9_-]{0,63}))(?:@${TENANT})?$`)

export const isPermission = (text: string): boolean => PERMISSION.test(text)

/** Returns a permission without its tenant, and the tenant; `null` for a permission that applies everywhere. */
export const partsOfPermission = (permission: string): { readonly name: string; readonly tenant: string | null } => {
  const at = permission.indexOf('@')
  return at < 0 ? { name: permission, tenant: null } : { name: permission.slice(0, at), tenant: permission.slice(at + 1) }
}

/** Returns the permissions that include a permission in a tenant: itself and its wildcards, everywhere or in that tenant. */
export const grantersOf = (needed: `${string}.${string}`, tenant: string | null = null): readonly string[] => {
  const names = [needed, `${needed.slice(0, needed.indexOf('.'))}.*`, '*.*']
  return tenant === null ? names : [...names, ...names.map((name) => `${name}@${tenant}`)]
}

/** Returns whether the granted permissions include the needed one: in the tenant or everywhere; without a tenant, everywhere. */
export const mayDo = (granted: readonly string[], needed: `${string}.${string}`, tenant: string | null = null): boolean =>
  grantersOf(needed, tenant).some((one) => granted.includes(one))

/** Returns the other granted permission that includes this one, if there is one: a wildcard, or the same without a tenant. */
export const wildcardFor = (granted: readonly string[], permission: string): string | undefined => {
  const { name, tenant } = partsOfPermission(permission)
  const names = grantersOf(name as `${string}.${string}`)
  const candidates = tenant === null ? names : [...names.map((one) => `${one}@${tenant}`), ...names]
  return candidates.find((one) => one !== permission && granted.includes(one))
}

/** Returns a new list of the permissions in a tenant, without its name; for `null` those that apply everywhere. */
export const permissionsIn = (held: readonly string[], tenant: string | null): string[] => {
  const everywhere = held.filter((permission) => !permission.includes('@'))
  if (tenant === null) return everywhere
  const ofTenant = held.filter((permission) => permission.endsWith(`@${tenant}`)).map((one) => partsOfPermission(one).name)
  return [...toPermissionSet([...everywhere, ...ofTenant])]
}

/** Returns the permissions of a session: of a bound one, only those that the user has in exactly its tenants. */
export const permissionsWithin = (held: readonly string[], tenants: Bound): readonly string[] =>
  tenants === null ? held : held.filter((permission) => tenants.includes(partsOfPermission(permission).tenant ?? ''))

/** Returns the permissions that apply in one tenant only, by tenant, and in the order of the tenants. */
const permissionsByTenant = (held: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const ofTenant = held.filter((permission) => permission.includes('@')).map(partsOfPermission)
  const names = Map.groupBy(ofTenant, ({ tenant }) => tenant ?? '')
  return new Map(
    [...names].sort(([one], [other]) => (one < other ? -1 : 1)).map(([tenant, parts]) => [tenant, parts.map(({ name }) => name)]),
  )
}

/** Returns the permissions sorted and without duplicates. */
export const toPermissionSet = (permissions: Iterable<string>): readonly string[] => [...new Set(permissions)].sort()

/** Every permission that an operation of Countersign requires. */
export const knownPermissions = ['project.read', 'project.create', 'project.update', 'project.approve', 'project.delete'] as const

export type KnownPermission = (typeof knownPermissions)[number]

/** Returns whether a permission or wildcard grants any operation of Countersign, or is wanted by the policies of requests. */
export const grantsAnything = (permission: string, ofPolicies: readonly `${string}.${string}`[] = []): boolean =>
  [...knownPermissions, ...ofPolicies].some((known) => mayDo([partsOfPermission(permission).name], known))

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
