import { mayDo } from './permissions.ts'

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
