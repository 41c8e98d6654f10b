import { toBase64Url, utf8 } from '../shared/encoding/bytes.ts'
import { webCrypto } from '../shared/platform.ts'
import { checkClaims } from './check-claims.ts'
import { checkRegistration } from './check-registration.ts'
import { checkStatement } from './check-statement.ts'
import { checkDeviceSignature } from './device-signature.ts'
import { findKey, isSignedByIssuer, type ReceiptKeys, requireInUse } from './issuer-key.ts'
import { jwkThumbprint } from './jwk-thumbprint.ts'
import { type ParsedReceipt, parseReceipt } from './parse-receipt.ts'
import { checkPasskeySignature } from './passkey-signature.ts'
import { hasExactly } from './strict-text.ts'
import { type CheckedReceipt, demandAt, type ReceiptVerdict, Refused } from './verdict.ts'

/** The disclosed parts of a receipt, by name. */
type Disclosed = Readonly<Partial<Record<'statement' | 'registration' | 'approver', unknown>>>

/** Returns the disclosed values. The issuer must have signed the digest of each (RFC 9901 §7.1). @throws Refused */
const checkDisclosures = async (
  subtle: SubtleCrypto,
  disclosures: ParsedReceipt['disclosures'],
  digests: readonly string[],
): Promise<Disclosed> => {
  demandAt('disclosure', new Set(digests).size === digests.length, 'The receipt repeats a digest')
  const disclosed: Record<string, unknown> = {}
  for (const { encoded, name, value } of disclosures) {
    const digest = toBase64Url(await subtle.digest('SHA-256', utf8(encoded)))
    demandAt('disclosure', digests.includes(digest), 'The issuer did not sign a disclosure')
    disclosed[name] = value
  }
  return disclosed
}

export interface VerifyReceiptOptions {
  /** The keys at `/.well-known/countersign/receipt-keys`. Get them from the issuer, because a receipt never brings its own key. */
  readonly keys: ReceiptKeys
  /** The expected issuer (claim `iss`). Every issuer of the given keys is accepted by default. */
  readonly issuer?: string
}

const isApprover = (value: unknown): value is { readonly email: string; readonly name: string } =>
  hasExactly(value, 'email,name') && typeof value.email === 'string' && typeof value.name === 'string'

const check = async (receipt: unknown, { keys, issuer }: VerifyReceiptOptions): Promise<CheckedReceipt> => {
  const subtle = webCrypto()
  const { alg, kid, signingInput, signature, payload, disclosures } = parseReceipt(receipt)
  const issuerKey = await findKey(subtle, keys, kid, alg)
  demandAt('issuer', await isSignedByIssuer(subtle, issuerKey, signingInput, signature), 'The issuer’s signature is wrong')

  const claims = checkClaims({ payload })
  demandAt('issuer', issuer === undefined || issuer === claims.issuer, 'The receipt is of another issuer')
  requireInUse(issuerKey, claims.issuedAt)
  const disclosed = await checkDisclosures(subtle, disclosures, claims.digests)
  demandAt('disclosure', disclosed.approver === undefined || isApprover(disclosed.approver), 'The approver is malformed')

  const { confirmation, device, signer } = claims
  const isPasskey = signer.kind === 'passkey'
  const statement = 'statement' in disclosed && (await checkStatement(subtle, disclosed.statement, confirmation, claims.issuer))
  const { challenge } = confirmation
  if (isPasskey) await checkPasskeySignature(subtle, device, signer.signature, challenge)
  else await checkDeviceSignature(subtle, device.jwk, signer.signature, challenge, 'signature')
  const thumbprint = await jwkThumbprint(subtle, device.jwk)
  demandAt('signature', thumbprint, 'The key of the device is malformed')
  demandAt('registration', !isPasskey || !('registration' in disclosed), 'A passkey has no registration to disclose')
  const registration =
    'registration' in disclosed &&
    (await checkRegistration(subtle, disclosed.registration, {
      ...device,
      keyThumbprint: thumbprint,
      algorithm: signer.signature.alg,
      approvedAt: confirmation.approvedAt,
      userId: statement ? statement.subject.id : undefined,
    }))

  const unchecked = [
    ...(statement ? [] : (['statement'] as const)),
    ...(registration || isPasskey ? [] : (['registration'] as const)),
  ]
  return {
    verdict: unchecked.length === 0 ? 'genuine' : 'partial',
    unchecked,
    issuer: claims.issuer,
    issuedAt: new Date(claims.issuedAt * 1000).toISOString(),
    kid,
    confirmation,
    device: {
      ...(isPasskey && { kind: 'passkey' as const, rpId: String(device.rpId), origin: String(signer.signature.origin) }),
      id: device.id,
      keyThumbprint: thumbprint,
      algorithm: String(signer.signature.alg),
      assurance: device.assurance,
    },
    ...(statement && { statement }),
    ...(registration && { registration }),
    ...(isPasskey && { registration: 'none for passkeys' as const }),
    ...(isApprover(disclosed.approver) && { approver: disclosed.approver }),
    inclusion: 'absent',
  }
}

/**
 * Checks a receipt offline, in the order of `ReceiptStep`; a `refused` verdict names the first step that fails. A receipt is
 * evidence of a past approval, and never a permission: it can be shown any number of times.
 * @throws TypeError if `keys` is not a JWK set
 * @throws CountersignError `UNSUPPORTED` on a platform without Web Crypto, or without the issuer's algorithm
 */
export const verifyReceipt = async (receipt: string, options: VerifyReceiptOptions): Promise<ReceiptVerdict> => {
  if (!Array.isArray(options?.keys?.keys)) throw new TypeError('keys must be a JWK set: { keys: [...] }')
  try {
    return await check(receipt, options)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { verdict: 'refused', step: error.step, reason: error.message }
  }
}
