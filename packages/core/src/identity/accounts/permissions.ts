/** The form of a scope: a customer, tenant, company or team of the host. Countersign compares scopes and never interprets them. */
const SCOPE = '[A-Za-z0-9._:-]{1,64}'

/**
 * The format of permissions: `<resource>.<action>`. `<resource>.*` grants every action of a resource, `*.*` grants everything.
 * A permission holds everywhere, or after `@` in one scope: `payment.approve@acme`.
 */
const PERMISSION = new RegExp(`^(?:\\*\\.\\*|[a-z][a-z0-9_-]{0,63}\\.(?:\\*|[a-z][a-z0-9_-]{0,63}))(?:@${SCOPE})?$`)

export const isPermission = (text: string): boolean => PERMISSION.test(text)

/** Returns a permission without its scope, and the scope; `null` for a permission that holds everywhere. */
export const partsOfPermission = (permission: string): { readonly name: string; readonly scope: string | null } => {
  const at = permission.indexOf('@')
  return at < 0 ? { name: permission, scope: null } : { name: permission.slice(0, at), scope: permission.slice(at + 1) }
}

/**
 * Returns the permissions that include a permission in a scope, as lists of users spell them: itself and its wildcards, held
 * everywhere or in that scope.
 */
export const grantersOf = (needed: `${string}.${string}`, scope: string | null = null): readonly string[] => {
  const names = [needed, `${needed.slice(0, needed.indexOf('.'))}.*`, '*.*']
  return scope === null ? names : [...names, ...names.map((name) => `${name}@${scope}`)]
}

/**
 * Returns whether the granted permissions include the needed permission in a scope: held in that scope or everywhere. Without a
 * scope, only a permission that is held everywhere counts.
 */
export const mayDo = (granted: readonly string[], needed: `${string}.${string}`, scope: string | null = null): boolean =>
  grantersOf(needed, scope).some((one) => granted.includes(one))

/**
 * Returns the permission among the granted ones that includes another permission: a wildcard, or for a permission in a scope the
 * same permission without a scope. `undefined` if there is none.
 */
export const wildcardFor = (granted: readonly string[], permission: string): string | undefined => {
  const { name, scope } = partsOfPermission(permission)
  const names = grantersOf(name as `${string}.${string}`)
  const candidates = scope === null ? names : [...names.map((one) => `${one}@${scope}`), ...names]
  return candidates.find((one) => one !== permission && granted.includes(one))
}

/** Returns the permissions that hold in a scope, without their scope; for `null` those that hold everywhere. Returns a new list. */
export const permissionsIn = (held: readonly string[], scope: string | null): string[] => {
  const everywhere = held.filter((permission) => !permission.includes('@'))
  if (scope === null) return everywhere
  const ofScope = held.filter((permission) => permission.endsWith(`@${scope}`)).map((one) => partsOfPermission(one).name)
  return [...toPermissionSet([...everywhere, ...ofScope])]
}

/** Returns the permissions that are held in one scope only, by scope, and in the order of the scopes. */
export const permissionsByScope = (held: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const scoped = held.filter((permission) => permission.includes('@')).map(partsOfPermission)
  const names = Map.groupBy(scoped, ({ scope }) => scope ?? '')
  return new Map(
    [...names].sort(([one], [other]) => (one < other ? -1 : 1)).map(([scope, parts]) => [scope, parts.map(({ name }) => name)]),
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
