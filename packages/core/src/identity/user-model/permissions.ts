import type { Bound } from '../records/bound.ts'

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

/**
 * Returns the permissions that include a permission in a tenant, in the spelling of the users' lists: itself and its wildcards,
 * everywhere or in that tenant.
 */
export const grantersOf = (needed: `${string}.${string}`, tenant: string | null = null): readonly string[] => {
  const names = [needed, `${needed.slice(0, needed.indexOf('.'))}.*`, '*.*']
  return tenant === null ? names : [...names, ...names.map((name) => `${name}@${tenant}`)]
}

/**
 * Returns whether the granted permissions include the needed permission in a tenant: granted in that tenant or everywhere. Without
 * a tenant, only a permission that applies everywhere counts.
 */
export const mayDo = (granted: readonly string[], needed: `${string}.${string}`, tenant: string | null = null): boolean =>
  grantersOf(needed, tenant).some((one) => granted.includes(one))

/**
 * Returns the permission among the granted ones that includes another permission: a wildcard, or for a permission in a tenant the
 * same permission without a tenant. `undefined` if there is none.
 */
export const wildcardFor = (granted: readonly string[], permission: string): string | undefined => {
  const { name, tenant } = partsOfPermission(permission)
  const names = grantersOf(name as `${string}.${string}`)
  const candidates = tenant === null ? names : [...names.map((one) => `${one}@${tenant}`), ...names]
  return candidates.find((one) => one !== permission && granted.includes(one))
}

/**
 * Returns the permissions in a tenant, without the tenant in their text; for `null` the permissions that apply everywhere. Returns
 * a new list.
 */
export const permissionsIn = (held: readonly string[], tenant: string | null): string[] => {
  const everywhere = held.filter((permission) => !permission.includes('@'))
  if (tenant === null) return everywhere
  const ofTenant = held.filter((permission) => permission.endsWith(`@${tenant}`)).map((one) => partsOfPermission(one).name)
  return [...toPermissionSet([...everywhere, ...ofTenant])]
}

/**
 * Returns the permissions of a session: all permissions of its user, or for a bound session only those that the user has in exactly
 * its tenants.
 */
export const permissionsWithin = (held: readonly string[], tenants: Bound): readonly string[] =>
  tenants === null ? held : held.filter((permission) => tenants.includes(partsOfPermission(permission).tenant ?? ''))

/** Returns the permissions that apply in one tenant only, by tenant, and in the order of the tenants. */
export const permissionsByTenant = (held: readonly string[]): ReadonlyMap<string, readonly string[]> => {
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

/**
 * Returns whether a permission or wildcard grants any operation of Countersign. Other services may use further permissions.
 *
 * @param ofPolicies the permissions that the policies of approval requests ask for
 */
export const grantsAnything = (permission: string, ofPolicies: readonly `${string}.${string}`[] = []): boolean =>
  [...knownPermissions, ...ofPolicies].some((known) => mayDo([partsOfPermission(permission).name], known))
