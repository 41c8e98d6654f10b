import { type Bytes, utf8 } from '../shared/encoding/bytes.ts'
import { canonicalJson } from '../shared/encoding/canonical-json.ts'
import { importKey } from './import-key.ts'
import { jwkThumbprint } from './jwk-thumbprint.ts'
import { type Demand, demandOf } from './verdict.ts'

const demand: Demand = demandOf('key')

/** A key of an issuer, as published at `/.well-known/countersign/receipt-keys`. */
export interface ReceiptKey {
  readonly kty: string
  readonly crv?: string | undefined
  readonly x?: string | undefined
  readonly y?: string | undefined
  /** The RFC 7638 thumbprint. */
  readonly kid: string
  readonly alg: string
  /** Seconds since 1970 from which the key signs. */
  readonly iat?: number | undefined
  /** Seconds since 1970 until which the key signs. */
  readonly exp?: number | undefined
  readonly revoked?: { readonly revoked_at: number; readonly reason?: string | undefined } | undefined
}

/** A JWK set (RFC 7517 §5). */
export interface ReceiptKeys {
  readonly keys: readonly ReceiptKey[]
}

const algorithms = {
  Ed25519: { jwk: { kty: 'OKP', crv: 'Ed25519' }, name: 'Ed25519' },
  ES256: { jwk: { kty: 'EC', crv: 'P-256' }, name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const

/** Returns the issuer's key for a receipt. The key decides the algorithm, and not the receipt alone. @throws Refused */
export const findKey = async (subtle: SubtleCrypto, { keys }: ReceiptKeys, kid: string, alg: string): Promise<ReceiptKey> => {
  const [key, ...others] = keys.filter((one) => one.kid === kid)
  const isSame = (one: ReceiptKey) => canonicalJson(one) === canonicalJson(key)
  demand(key, 'The receipt names a key that is not among the given keys')
  demand(others.every(isSame), 'Several different keys among the given ones have the same key id')
  demand(key.alg === alg && Object.hasOwn(algorithms, alg), 'The receipt names another algorithm than its key')
  const { kty, crv } = algorithms[alg as keyof typeof algorithms].jwk
  demand(key.kty === kty && key.crv === crv, 'The key does not fit its algorithm')
  demand((await jwkThumbprint(subtle, key)) === kid, 'The key does not have the thumbprint that it is published under')
  return key
}

/** @throws Refused unless the key may have signed at this time, in seconds since 1970 */
export const requireInUse = ({ iat, exp, revoked }: ReceiptKey, issuedAt: number): void => {
  demand(revoked === undefined, 'The issuer revoked the key')
  const inUse = issuedAt >= (iat ?? 0) && issuedAt <= (exp ?? Number.POSITIVE_INFINITY)
  demand(inUse, 'The receipt was issued when the key was not in use')
}

/** Returns whether the issuer's key signed the text. @throws CountersignError `UNSUPPORTED` if the platform lacks the algorithm */
export const isSignedByIssuer = async (
  subtle: SubtleCrypto,
  { kty, crv, x, y, alg }: ReceiptKey,
  signingInput: string,
  signature: Bytes,
): Promise<boolean> => {
  const algorithm = algorithms[alg as keyof typeof algorithms]
  const jwk = { kty, crv, x, ...(kty === 'EC' && { y }) } as JsonWebKey
  const key = await importKey(subtle, jwk, algorithm)
  demand(key, 'The key is malformed')
  return subtle.verify(algorithm, key, signature, utf8(signingInput))
}
