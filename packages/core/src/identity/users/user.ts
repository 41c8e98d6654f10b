import type { Instant } from '../../shared/clock.ts'

/** A user as the storage keeps them; see `UserProfile` for what may be shown. Times are milliseconds since 1970. */
export interface User {
  readonly id: number
  /** What the host's directory knows the user by, where one keeps them (see `UserDirectory`); unique. */
  readonly directoryId: string | null
  /** Normalised (see `normaliseEmail`) and unique. */
  readonly email: string
  readonly name: string
  readonly employee: { readonly id: string; readonly name: string; readonly avatarFileId: string }
  readonly department: { readonly id: string; readonly name: string }
  /** Of the form `<resource>.<action>`, sorted, without repetition. */
  readonly permissions: readonly string[]
  /**
   * PHC string of the password's hash, or `null` where the user cannot log in by password. Of a user whom a directory
   * keeps it is a mark of that hash, which no password matches.
   */
  readonly passwordHash: string | null
  readonly disabledAt: Instant | null
  /** Rises with every change; what was decided on an older version does not hold. */
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A user as it may be shown: without the password's hash. */
export type UserProfile = Omit<User, 'passwordHash' | 'version'> & { readonly hasPassword: boolean }

export const toProfile = ({ passwordHash, version: _, ...user }: User): UserProfile => ({
  ...user,
  hasPassword: passwordHash !== null,
})
