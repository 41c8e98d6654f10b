/** The user who gets a new password. */
export interface PasswordUser {
  readonly email: string
}

/**
 * A check of new passwords by the host. Gets the password in its NFKC form. Returns why the password is refused, as a text that
 * continues a sentence about the password, such as `must not be one of our own examples`; otherwise `undefined`.
 */
export type CheckPassword = (password: string, user: PasswordUser) => string | undefined | Promise<string | undefined>
