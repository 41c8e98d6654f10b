import type { WithinTransaction } from '../../shared/host-client.ts'
import type { ProfileInput } from './user-input.ts'

/** A user of the directory of a host. */
export interface DirectoryUser extends ProfileInput {
  /**
   * The id of the user at the host: 1 to 255 characters without control characters and changes of direction. An id is permanent
   * and never reused for another person, because devices and passkeys belong to the id, not to the email.
   */
  readonly id: string
  /**
   * The password hash in the format of the `PasswordHasher` of the host; an argon2id PHC string by default. `null` if the
   * user cannot log in by password. A different hash counts as a new password, and ends every session.
   */
  readonly passwordHash: string | null
  /** True for a disabled user: no login works, and every session ends. */
  readonly disabled: boolean
}

/**
 * The users of a host, in place of users in the storage. The host decides about identities, permissions and passwords, and is
 * asked at each login, refresh and request. Countersign keeps a row for each user, to which devices, passkeys and sessions belong.
 *
 * Each method must return the current data: a disabled user is accepted for as long as an answer is cached. `byEmail` and `byId`
 * are also called for unknown emails before any authentication, so they must take the same time for every email and change
 * nothing. A rejection refuses the request. Reject with `Unavailable` if the database of the host is unreachable.
 *
 * @typeParam Tx The transaction of the host's own library, such as the `tx` of Drizzle.
 */
export interface UserDirectory<Tx = unknown> {
  /** Finds a user by an email in the form of `normaliseEmail`, however the host spells it. */
  byEmail(email: string): Promise<DirectoryUser | undefined>
  /**
   * Finds a user by id. Called only for ids that the directory returned before. The user may no longer exist.
   *
   * @param within Has the `client` of a call with the host's own database client, such as `confirmations.consume`, and the
   *   `transaction` that the host made the client from. Then query on one of them: if concurrent calls use all connections of a
   *   pool, a directory that waits for another connection of this pool waits for ever.
   */
  byId(id: string, within?: WithinTransaction<Tx>): Promise<DirectoryUser | undefined>
  /**
   * Returns users who have a permission, at most `limit`. Without this method, approvals by several people are refused (409
   * `no_holders`). Holders by a wildcard count. If there are more than `limit`, return the users of the host's app, because only
   * users with a trusted device are asked.
   *
   * @param permission Such as `payment.approve`. Users have it by this name, `payment.*` or `*.*`, everywhere or in the tenant.
   * @param tenant The tenant of the action; `null` for none: then only permissions that apply everywhere count.
   * @param limit 1000
   */
  holdersOf?(permission: string, tenant: string | null, limit: number): Promise<readonly DirectoryUser[]>
}

/** The directory of a host returned an invalid answer. The host must fix the directory. */
export class UserDirectoryMistake extends Error {
  override readonly name = 'UserDirectoryMistake'
}
