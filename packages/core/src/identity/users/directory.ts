import type { ProfileInput } from './user-input.ts'

/** A user as the host keeps them. */
export interface DirectoryUser extends ProfileInput {
  /**
   * What the host knows the user by: 1 to 255 characters, without control characters. It is theirs for good, and never
   * another person's: devices and passkeys belong to it, not to the email.
   */
  readonly id: string
  /**
   * A text from which the `PasswordHasher` that the host brings tells the password (the default one: an argon2id PHC
   * string); `null` where the user cannot log in by password. Another text means another password, and ends every session.
   */
  readonly passwordHash: string | null
  /** Whether they are shut out: no login, and every session ends. */
  readonly disabled: boolean
}

/**
 * The host's own users, instead of Countersign's. The host decides who they are, what they may do and what their passwords
 * are; Countersign asks at each login, each renewal of tokens and each request, and keeps a row of its own for each of
 * them, to which devices, passkeys and sessions belong.
 *
 * Both methods answer with what the host's database says now. A directory that remembers answers for a while lets a
 * disabled user in for that while. They are asked for emails that nobody has as well, before anybody has proven anything,
 * so they must take the same time for all, and change nothing. Whatever they reject with refuses the request; where the
 * host's database is away, that should be `Unavailable`.
 */
export interface UserDirectory {
  /** @param email As `normaliseEmail` writes it. It must find the user however the host writes their email. */
  byEmail(email: string): Promise<DirectoryUser | undefined>
  /** Only asked for ids that the directory gave before, whose users may be gone. */
  byId(id: string): Promise<DirectoryUser | undefined>
}
