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
  /** The PHC string; `null` without a password. For a user of a directory: a digest of the hash, which matches no password. */
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

/** A new user. The store assigns the id. */
export type NewUser = Omit<User, 'id' | 'version' | 'updatedAt' | 'disabledAt' | 'lockedAt'>

/** The fields of a user to change. */
export type UserChange = Partial<Omit<User, 'id' | 'directoryId' | 'version' | 'lockedAt' | 'createdAt' | 'updatedAt'>>

/** The conditions of a list of users. A user meets all that are given. */
export interface UserFilter {
  /** A text in the email or the name, ignoring case. */
  readonly search?: string | undefined
  /** A permission, as the list of the user spells it. */
  readonly permission?: string | undefined
  /** True if the user is disabled. */
  readonly disabled?: boolean | undefined
  /** True if the account is locked. */
  readonly locked?: boolean | undefined
  readonly departmentId?: string | undefined
  /** Only users who were created at this time or later. */
  readonly since?: Instant | undefined
  /** Only users who were created before this time. */
  readonly before?: Instant | undefined
}

/** The conditions of `UserStore.list`. */
export interface UserQuery extends UserFilter {
  /** Only users with these ids, at most 1001. */
  readonly ids?: readonly number[] | undefined
  /** Only users with these normalised emails, at most 500. */
  readonly emails?: readonly string[] | undefined
  /** Only users whose email has a character beyond ASCII or a host in punycode (`xn--`). */
  readonly internationalEmail?: true | undefined
  /** Only users who have no device that is trusted at this time. */
  readonly noTrustedDeviceAt?: Instant | undefined
  /** Only users with a device that the approver registered, and without a passkey that is trusted at this time. */
  readonly needsPasskeyAt?: Instant | undefined
}

/** The limits of a search for users who could approve an action now. */
export interface ApproverLimits {
  /** The user who asks, and who is never returned. A key of this user approves nothing. */
  readonly requestedBy: number
  /** The tenant in which the action is asked for; none by default. A device or passkey counts only if it may act there. */
  readonly tenant?: string | null
  readonly now: Instant
  /** The most users to return, 1 to 100. */
  readonly limit: number
  /** Normalised emails of users to leave out. */
  readonly refusedEmails?: readonly string[]
  /** True if a trusted passkey is enough; `false` by default. */
  readonly passkeys?: boolean
}

/** A search for users who could approve an action now. */
export type ApproverQuery = ApproverLimits &
  (
    | {
        /** Users of the storage who have any of these permissions, in the spelling of their lists (`grantersOf`). */
        readonly permissions: readonly string[]
      }
    | {
        /** Users with any of these directory ids, at most 1000. */
        readonly directoryIds: readonly string[]
      }
  )

/** What an erasure ended: the live sessions, the active devices and the passkeys of a user. */
export interface ErasedUser {
  readonly sessions: number
  readonly devices: number
  readonly passkeys: number
}

/** The users in the storage, without erased ones. Each method says how unique indexes and versions decide between callers. */
export interface UserStore {
  /**
   * Adds at most 500 users with the next ids, and returns them. Leaves out a user whose email or directory id is taken. One atomic
   * statement: all the others are added, or none.
   */
  create(users: readonly NewUser[]): Promise<readonly User[]>
  byId(id: number): Promise<User | undefined>
  /** Finds a user by normalised email. */
  byEmail(email: string): Promise<User | undefined>
  byDirectoryId(directoryId: string): Promise<User | undefined>
  /**
   * Returns the hash of the user with the lowest id from `id` on, if there is one, and the highest id of all users. A check of an
   * unknown account imitates this hash.
   */
  hashFrom(id: number): Promise<{ readonly passwordHash: string | null; readonly lastId: number } | undefined>
  /**
   * Returns the users who can approve at `now`: neither disabled nor locked, and with an active device, or with `passkeys` a
   * passkey, that is trusted at `now`, may act in the tenant, and whose key the requester never had. Never asked users come first,
   * then the least recently asked; then by ascending id. A user who was disabled or locked since counts as never asked.
   * `permissions` leave out users of a directory.
   *
   * Uses an index: the work depends on the number of returned users, and not of users or holders.
   */
  approvers(query: ApproverQuery): Promise<readonly User[]>
  /** Returns a page of the users who meet the query, by ascending id, after `afterId`. */
  list(page: UserQuery & { afterId?: number; limit: number }): Promise<readonly User[]>
  /** Returns the number of users who meet the query. */
  count(query: UserQuery): Promise<number>
  /**
   * Changes a user who still has `version`, if no other user has the email, increments the version, and returns the user;
   * otherwise `undefined`. One atomic statement: of concurrent changes to one version or email, exactly one succeeds.
   */
  change(id: number, version: number, change: UserChange, now: Instant): Promise<User | undefined>
  /**
   * Locks the account from `lockedAt` on, or unlocks it with `null`, increments the version, and returns the user; `undefined` if
   * nothing changes. Of concurrent calls, exactly one succeeds. In a transaction, the row stays locked until the end, so that no
   * session is opened and nothing is approved in between.
   */
  setLock(id: number, lockedAt: Instant | null, now: Instant): Promise<User | undefined>
  /**
   * Returns whether the user still has this version and may log in. In a transaction, the row stays locked until the end, so that
   * no session is opened after the user is disabled, is locked or gets a new password.
   */
  admit(id: number, version: number): Promise<boolean>
  /**
   * Erases what identity stores of a user, in one transaction; `undefined` if the user is unknown or erased. The row stays locked
   * until the end, and then disabled, so that the id is never used again.
   *
   * - Erased: email, name, employee, department, permissions, password hash, directory id, and `openedFrom` of every session.
   * - Live sessions end as `user_deleted`. Devices are removed, and lose name, fingerprint and push token.
   * - Deleted: passkeys, removed keys, user handles, evidence of registrations, codes, challenges and delegations.
   */
  erase(id: number, now: Instant): Promise<ErasedUser | undefined>
  /** Replaces a password hash by a stronger hash of the same password, if `from` is still current. The version stays the same. */
  upgradePasswordHash(id: number, from: string, to: string): Promise<void>
}
