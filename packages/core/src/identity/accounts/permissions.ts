/**
 * The format of permissions: `<resource>.<action>`. `<resource>.*` grants every action of a resource, `*.*` grants everything.
 */
const PERMISSION = /^(?:\*\.\*|[a-z][a-z0-9_-]{0,63}\.(?:\*|[a-z][a-z0-9_-]{0,63}))$/

export const isPermission = (text: string): boolean => PERMISSION.test(text)

/** Returns whether the granted permissions include the needed permission. */
export const mayDo = (granted: readonly string[], needed: `${string}.${string}`): boolean => {
  const resource = needed.slice(0, needed.indexOf('.'))
  return granted.includes(needed) || granted.includes(`${resource}.*`) || granted.includes('*.*')
}

/** Returns the wildcard among the granted permissions that includes a permission; `undefined` if there is none. */
export const wildcardFor = (granted: readonly string[], permission: string): string | undefined => {
  const resource = permission.slice(0, permission.indexOf('.'))
  return [`${resource}.*`, '*.*'].find((wildcard) => wildcard !== permission && granted.includes(wildcard))
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
  [...knownPermissions, ...ofPolicies].some((known) => mayDo([permission], known))
