import { domainToUnicode } from 'node:url'
import { limits } from '@countersign/contract'
import { hasInvisible } from '../../shared/hidden-characters.ts'

/** A final dot, an empty label, or a hyphen at the edge of a label. */
const BAD_LABEL = /^$|^\.|\.\.|\.$|(?:^|\.)-|-(?:\.|$)/
/** A host that UTS 46 changes in nothing but its case. */
const PLAIN = /^(?!(?:.*\.)?xn--)[\x21-\x7e]*$/i
/** Characters that delimit parts of a URL, to which `domainToUnicode` would react. */
const DELIMITER = /[\p{Cc} "#%/:<>?@[\\\]^`{|}]/u
/** A label that UTS 46 does not accept in Unicode, or an address that was written with other digits. */
const UNCONVERTED = /^$|(?:^|\.)xn--|(?:^|\.)\d+$/

/**
 * Returns the only spelling of the host of an email, in Unicode (UTS 46, non-transitional), as `münchen.example` for
 * `xn--mnchen-3ya.example`; `undefined` if no email may have the host, also with invisible characters, which UTS 46 drops.
 */
export const hostSpelling = (host: string): string | undefined => {
  if (hasInvisible(host) || BAD_LABEL.test(host)) return undefined
  if (PLAIN.test(host)) return host.toLowerCase()
  const spelling = DELIMITER.test(host) ? '' : domainToUnicode(host)
  return UNCONVERTED.test(spelling) || BAD_LABEL.test(spelling) ? undefined : spelling
}

/**
 * Returns the simple case folding of a character (C and S of Unicode's CaseFolding.txt), for which JavaScript has no function. A
 * regular expression with the flags `i` and `u` compares by it: the folding is the equal one of the lower case of the upper case,
 * and the lower case. Cherokee folds to its upper case.
 */
const foldCharacter = (character: string): string => {
  const upper = character.toUpperCase()
  const candidates = /\p{Script=Cherokee}/u.test(character) ? [upper] : [upper.toLowerCase(), character.toLowerCase()]
  const isEqual = (candidate: string): boolean => /^(.)\1$/iu.test(character + candidate)
  return candidates.find(isEqual) ?? character
}

/** Folds the case of each character by itself: `ẞ` becomes `ß` and not `ss`, `ς` becomes `σ`, and `ı` stays. */
export const simpleFold = (text: string): string => text.replace(/\p{Changes_When_Casefolded}/gu, foldCharacter)

/** The last `@`, also in one of its compatibility forms. */
const AT = /[@\uFE6B\uFF20](?=[^@\uFE6B\uFF20]*$)/u

/** Blanks at the start. A blank that carries a mark, as in the NFKC form of `¨`, belongs to the text. */
const LEADING = /^\p{Zs}+(?!\p{M})/u
const TRAILING = /(?<!\p{Zs})\p{Zs}+$/u

/** The most code units of a text that is normalised. NFKC takes quadratic time for a long row of combining marks. */
const MOST_GIVEN = 4 * limits.emailCharacters

const MISTAKE = 'must be one email address of at most 254 characters'

/**
 * Returns the only spelling of an email, which is stored and looked up: without blanks around it, the local part in NFKC and
 * folded, the host in Unicode. Normalise first, then check, then look up (CVE-2022-35924). A text that is far too long stays as it
 * is.
 */
export const normaliseEmail = (email: string): string => {
  if (email.length > MOST_GIVEN) return email
  const [local = '', host] = email.replace(LEADING, '').replace(TRAILING, '').split(AT)
  // Folding turns U+0345, a mark, into a letter. The blank that carried the mark is then without it, and is removed.
  const name = simpleFold(local.normalize('NFKC')).normalize('NFKC').replace(LEADING, '')
  return host === undefined ? name : `${name}@${hostSpelling(host) ?? host}`
}

/**
 * Returns whether an email and its spelling differ only in case, in the form of the host by UTS 46, and in blanks around the email.
 * An email such as `ᵏim@example.com` differs in more: another system can know it as another person than `kim@example.com`.
 */
export const isPlainSpelling = (email: string): boolean => {
  const given = email.replace(/^ +/, '').replace(/ +$/, '')
  const at = given.lastIndexOf('@')
  const [local, host] = at === -1 ? [given] : [given.slice(0, at), given.slice(at + 1)]
  const spelling = host === undefined ? simpleFold(local) : `${simpleFold(local)}@${hostSpelling(host) ?? host}`
  return local.normalize('NFKC') === local && normaliseEmail(email) === spelling
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
