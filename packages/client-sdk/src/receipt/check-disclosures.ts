import { toBase64Url, utf8 } from '../shared/encoding/bytes.ts'
import type { ParsedReceipt } from './parse-receipt.ts'
import { demand } from './verdict.ts'

/** The disclosed parts of a receipt, by name. */
export type Disclosed = Readonly<Partial<Record<'statement' | 'registration' | 'approver', unknown>>>

/** Returns the disclosed values. The issuer must have signed the digest of each (RFC 9901 §7.1). @throws Refused */
export const checkDisclosures = async (
  subtle: SubtleCrypto,
  disclosures: ParsedReceipt['disclosures'],
  digests: readonly string[],
): Promise<Disclosed> => {
  demand(new Set(digests).size === digests.length, 'disclosure', 'The receipt repeats a digest')
  const disclosed: Record<string, unknown> = {}
  for (const { encoded, name, value } of disclosures) {
    const digest = toBase64Url(await subtle.digest('SHA-256', utf8(encoded)))
    demand(digests.includes(digest), 'disclosure', 'The issuer did not sign a disclosure')
    disclosed[name] = value
  }
  return disclosed
}
