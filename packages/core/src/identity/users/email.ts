import { limits } from '@countersign/contract'
import { hasInvisible } from '../../shared/invisible.ts'
import { hostSpelling } from './email-host.ts'
import { simpleFold } from './simple-fold.ts'

/** The last `@`, also in one of its compatibility forms. */
const AT = /[@\uFE6B\uFF20](?=[^@\uFE6B\uFF20]*$)/u

/** Blanks at the start. A blank that carries a mark, as in the NFKC form of `¨`, belongs to the text. */
const LEADING = /^\p{Zs}+(?!\p{M})/u
const TRAILING = /(?<!\p{Zs})\p{Zs}+$/u

/** The most code units of a text that is normalised. NFKC takes quadratic time for a long row of combining marks. */
const MOST_GIVEN = 4 * limits.emailCharacters

const MISTAKE = 'must be one email address of at most 254 characters'

/**
 * Returns the only spelling of an email, which is stored and looked up. Blanks around the email are removed. The local part is
 * normalised with NFKC, then its case is folded. The host is converted to Unicode; a host that no email may have stays as it is.
 * Normalise first, then check, then look up (CVE-2022-35924). A text that is far too long for an email stays as it is.
 */
export const normaliseEmail = (email: string): string => {
  if (email.length > MOST_GIVEN) return email
  const [local = '', host] = email.replace(LEADING, '').replace(TRAILING, '').split(AT)
  // Folding U+0345 makes a letter of a mark, and leaves its blank alone.
  const name = simpleFold(local.normalize('NFKC')).normalize('NFKC').replace(LEADING, '')
  return host === undefined ? name : `${name}@${hostSpelling(host) ?? host}`
}

/** A single address: one `@`, a host, and no white space, control characters, lists or display names. */
const ADDRESS = /^[^\s\p{C}@,;:<>()[\]\\"]+@([^\s\p{C}@,;:<>()[\]\\"]+)$/u

/** `İ` and an `i` with another dot above, in NFD. No folding of case makes them equal to `i`, but they look like it. */
const DOTTED_I = /[Ii]\p{M}*\u0307/u

/** Returns what is wrong with a normalised email; `undefined` for a valid email. */
export const complaintAboutEmail = (email: string): string | undefined => {
  if (email.length > limits.emailCharacters) return MISTAKE
  if (hasInvisible(email)) return 'must have no invisible characters'
  if (DOTTED_I.test(email.normalize('NFD'))) return 'must have no capital I with a dot, and no i with a second dot'
  const [, host] = ADDRESS.exec(email) ?? []
  return host !== undefined && hostSpelling(host) === host ? undefined : MISTAKE
}
