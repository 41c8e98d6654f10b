import { type Bytes, fromBase64, utf8 } from '../shared/encoding/bytes.ts'
import { importKey } from './import-key.ts'
import { pssSaltLength } from './pss-salt-length.ts'
import { isObject, strictBase64Url } from './strict-text.ts'
import { demandAt, type ReceiptStep } from './verdict.ts'

/** The signature of a device in a receipt. */
export interface DeviceSignature {
  readonly alg: unknown
  readonly value: unknown
  readonly over: unknown
}

const algorithms = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256', saltLength: 32 },
} as const

/** RSA keys of 2048 to 8192 bits, as the service accepts them. */
const isFitKey = ({ kty, crv, n, e }: JsonWebKey, alg: string): boolean => {
  if (alg === 'ES256') return kty === 'EC' && crv === 'P-256'
  const bytes = strictBase64Url(n)?.length ?? 0
  return kty === 'RSA' && e === 'AQAB' && bytes >= 256 && bytes <= 1024
}

/** Returns whether the key signed the bytes. @throws Refused at the step of the caller, if the key does not fit the algorithm */
export const isSignedWith = async (
  subtle: SubtleCrypto,
  jwk: unknown,
  alg: keyof typeof algorithms,
  signature: Bytes,
  signed: Bytes,
  step: ReceiptStep,
): Promise<boolean> => {
  demandAt(step, isObject(jwk) && isFitKey(jwk, alg), 'The key of the device does not fit the algorithm')
  const { kty, crv, x, y, n, e } = jwk as JsonWebKey
  const publicJwk = (alg === 'ES256' ? { kty, crv, x, y } : { kty, n, e }) as JsonWebKey
  const key = await importKey(subtle, publicJwk, algorithms[alg])
  demandAt(step, key, 'The key of the device is malformed')
  const verify = (algorithm: Parameters<SubtleCrypto['verify']>[0]) => subtle.verify(algorithm, key, signature, signed)
  if (await verify(algorithms[alg])) return true
  if (alg !== 'PS256') return false
  const saltLength = await pssSaltLength(subtle, n ?? '', signature)
  return saltLength !== undefined && verify({ ...algorithms.PS256, saltLength })
}

/** Checks that the key signed the challenge: its text, or the 64 bytes that the text encodes. @throws Refused */
export const checkDeviceSignature = async (
  subtle: SubtleCrypto,
  jwk: unknown,
  { alg, value, over }: DeviceSignature,
  challenge: string,
  step: ReceiptStep,
): Promise<void> => {
  demandAt(step, alg === 'ES256' || alg === 'RS256' || alg === 'PS256', 'The algorithm is unknown')
  const signature = strictBase64Url(value)
  demandAt(step, signature && (over === 'text' || over === 'bytes'), 'The signature of the device is malformed')
  const signed = over === 'text' ? utf8(challenge) : fromBase64(challenge)
  demandAt(
    step,
    await isSignedWith(subtle, jwk, alg, signature, signed, step),
    'The key of the device did not sign the challenge',
  )
}
