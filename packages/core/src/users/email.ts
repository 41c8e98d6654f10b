import { limits } from '@countersign/contract'

/** One spelling for each address: NFKC and lower case, both parts (CVE-2022-35924: normalise, then check, then look up). */
export const normaliseEmail = (email: string): string => email.normalize('NFKC').toLowerCase().normalize('NFKC')

/** One address: one `@`, a dot or a host after it, no white space, control character, list or display name. */
const ADDRESS = /^[^\s\p{C}@,;:<>()[\]\\"]+@[^\s\p{C}@,;:<>()[\]\\"]+$/u

/** Whether a normalised text can be the address of a user. */
export const isEmail = (email: string): boolean => email.length <= limits.emailCharacters && ADDRESS.test(email)
