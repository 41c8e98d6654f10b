import { hasPasswordLength, isStorable, limits } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { IdentityOptions, PasswordUser } from '../options.ts'
import { commonPasswords } from './common-passwords.ts'

/** Returns the letters and digits of a text, without regard to case. */
const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

/** Returns whether a password is nothing but some of these words, repeated or with digits and punctuation around them. */
const isOnly = (password: string, words: readonly string[]): boolean => {
  const whole = lettersAndDigits(password)
  const known = words.map(lettersAndDigits).filter((word) => word !== '')
  const rest = known.sort((a, b) => b.length - a.length).reduce((left, word) => left.replaceAll(word, ''), whole)
  return rest !== whole && !/\p{L}/u.test(rest)
}

/**
 * Returns a new password if it may be set: 12 to 128 characters in its NFKC form, which is what is hashed; not one of the
 * commonest; more than the user's email or the name of this service; and not refused by the host. There are no rules of
 * composition (NIST SP 800-63B-4 §3.1.1.2). @throws Invalid naming `field`
 */
export const checkedPassword = async (
  { options }: Pick<BaseDeps, 'options'>,
  password: string,
  user: PasswordUser,
  field: 'password' | 'newPassword' = 'password',
): Promise<string> => {
  const refusal = await refusalOf(options, password, user)
  if (refusal !== undefined) throw new Invalid({ [field]: refusal })
  return password
}

const refusalOf = async ({ issuer, relyingParty, checkPassword }: IdentityOptions, password: string, user: PasswordUser) => {
  const { min, max } = limits.passwordCharacters
  if (!hasPasswordLength(password)) return `must be ${min} to ${max} characters`
  // No login request may contain these characters.
  if (!isStorable(password)) return 'must be text without NUL and unpaired surrogates'
  const form = password.normalize('NFKC')
  if (commonPasswords.has(form.toLowerCase())) return 'must not be one of the commonest passwords'
  const [localPart = ''] = user.email.split('@')
  if (isOnly(form, [user.email, localPart, issuer, relyingParty.name]))
    return 'must be more than the email or the name of the service with digits and punctuation'
  return checkPassword(form, { email: user.email })
}
