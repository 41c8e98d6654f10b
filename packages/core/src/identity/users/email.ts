import { limits } from '@countersign/contract'

/** Normalises an email: NFKC and lower case. Normalise first, then check, then look up (CVE-2022-35924). */
export const normaliseEmail = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC')

/** A single address: one `@`, a host, and no white space, control characters, lists or display names. */
const ADDRESS = /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@,;:<>()[\]\\"]+$/u

/**
 * Invisible characters: two addresses that differ in one of them look the same. Covers the default-ignorable characters of
 * Unicode, and further blank letters and symbols.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}]/u

export const hasInvisible = (email: string): boolean => INVISIBLE.test(email)

/** Returns whether a normalised text is a valid email. */
export const isEmail = (email: string): boolean =>
  email.length <= limits.emailCharacters && ADDRESS.test(email) && !hasInvisible(email)
