import { mayDo } from './permissions.ts'

/** Every permission that an operation of ours asks for. */
export const knownPermissions = ['project.read', 'project.create', 'project.update', 'project.approve', 'project.delete'] as const

export type KnownPermission = (typeof knownPermissions)[number]

/** Whether a permission, which may be a wildcard, grants any operation of ours. Other services may ask for further ones. */
export const grantsAnything = (permission: string): boolean => knownPermissions.some((known) => mayDo([permission], known))
