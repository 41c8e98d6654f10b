import type { Instant } from '../../shared/clock.ts'

/** A stored user. `UserProfile` is the form for display. Times are milliseconds since 1970. */
export interface User {
  readonly id: number
  /** The id of the user in the directory of the host; unique. `null` for a user of the storage (see `UserDirectory`). */
  readonly directoryId: string | null
  /** Normalised (see `normaliseEmail`) and unique. */
  readonly email: string
  readonly name: string
  readonly employee: { readonly id: string; readonly name: string; readonly avatarFileId: string }
  readonly department: { readonly id: string; readonly name: string }
  /** Permissions in the form `<resource>.<action>`, sorted, without duplicates. */
  readonly permissions: readonly string[]
  /**
   * The password hash as a PHC string; `null` if the user cannot log in by password. For a user of a directory: a digest of
   * the hash, which matches no password.
   */
  readonly passwordHash: string | null
  readonly disabledAt: Instant | null
  /** The time at which an admin or the user locked the account; `null` for an open account. */
  readonly lockedAt: Instant | null
  /** Increments with every change. A decision on an older version is void. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** Returns whether the user may log in: neither disabled nor locked. */
export const mayLogIn = ({ disabledAt, lockedAt }: Pick<User, 'disabledAt' | 'lockedAt'>): boolean =>
  disabledAt === null && lockedAt === null

/** A user without the password hash. */
export type UserProfile = Omit<User, 'passwordHash' | 'version'> & { readonly hasPassword: boolean }

export const toProfile = ({ passwordHash, version: _, ...user }: User): UserProfile => ({
  ...user,
  hasPassword: passwordHash !== null,
})
