import { domainToUnicode } from 'node:url'
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
 * Returns the only spelling of the host of an email: UTS 46, non-transitional, to Unicode. So `xn--mnchen-3ya.example` becomes
 * `münchen.example`. Returns `undefined` if no email may have the host. UTS 46 would drop invisible characters, so a host with
 * such a character has no spelling.
 */
export const hostSpelling = (host: string): string | undefined => {
  if (hasInvisible(host) || BAD_LABEL.test(host)) return undefined
  if (PLAIN.test(host)) return host.toLowerCase()
  const spelling = DELIMITER.test(host) ? '' : domainToUnicode(host)
  return UNCONVERTED.test(spelling) || BAD_LABEL.test(spelling) ? undefined : spelling
}
