import type { Instant } from '../../shared/clock.ts'
import type { User } from './user.ts'

/** A user who is to be added. The store gives the id. */
export type NewUser = Omit<User, 'id' | 'version' | 'updatedAt' | 'disabledAt'>

/** The members of a user that are to be others. */
export type UserChange = Partial<Omit<User, 'id' | 'directoryId' | 'version' | 'createdAt' | 'updatedAt'>>

/**
 * Users, where they are in the storage and not in a directory of the host's. Unique indexes and versions decide between several
 * who change at once; each method says how.
 */
export interface UserStore {
  /** Adds a user under the next id; `undefined` where the email or the directory's id is taken (unique indexes decide). */
  create(user: NewUser): Promise<User | undefined>
  byId(id: number): Promise<User | undefined>
  /** `email` is normalised. */
  byEmail(email: string): Promise<User | undefined>
  byDirectoryId(directoryId: string): Promise<User | undefined>
  /** Those of the ids that are users', at most 1001 at a time, disabled ones included, in any order. */
  contacts(ids: readonly number[]): Promise<readonly Pick<User, 'id' | 'name' | 'email'>[]>
  /** By rising id, from after `afterId`. */
  list(page: { afterId: number; limit: number }): Promise<readonly User[]>
  /**
   * Applies the change where the user still has `version` and no other has the email, raises the version and returns the
   * user; else `undefined`. One atomic statement: of two that decide on the same version, one wins, and of two that take
   * the same email.
   */
  change(id: number, version: number, change: UserChange, now: Instant): Promise<User | undefined>
  /**
   * Whether the user, with this very version, may log in now. Within a transaction it holds the user's row until
   * the end, so that a session opened after it cannot slip past a disabling or a change of password.
   */
  admit(id: number, version: number): Promise<boolean>
  /** Replaces a hash by a stronger one of the same password, where `from` still stands. Leaves the version. */
  upgradePasswordHash(id: number, from: string, to: string): Promise<void>
}
