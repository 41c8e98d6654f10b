import { limits } from '@countersign/contract'

/** One spelling for each address: NFKC and lower case, both parts (CVE-2022-35924: normalise, then check, then look up). */
export const normaliseEmail = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC')

/** One address: one `@`, a dot or a host after it, no white space, control character, list or display name. */
const ADDRESS = /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@,;:<>()[\]\\"]+$/u

/**
 * Characters that leave no mark: two addresses that differ by one look the same. All that Unicode lets a display ignore, and
 * the blank letters and symbols that it does not list there.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16FE4}\u{1D159}]/u

export const hasInvisible = (email: string): boolean => INVISIBLE.test(email)

/** Whether a normalised text can be the address of a user. */
export const isEmail = (email: string): boolean =>
  email.length <= limits.emailCharacters && ADDRESS.test(email) && !hasInvisible(email)
