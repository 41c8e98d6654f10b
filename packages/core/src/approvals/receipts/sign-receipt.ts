import { createHash } from 'node:crypto'
import { CompactSign } from 'jose'
import type { ReceiptSigningKey } from '../receipt-keys/receipt-key-ring.ts'

/** The type of a receipt in its JWS header (RFC 8725 §3.11: explicit typing). */
const RECEIPT_TYPE = 'countersign-receipt+sd-jwt'

/** A part of a receipt that the holder may leave out. */
export interface Disclosure {
  readonly salt: string
  readonly name: string
  readonly value: unknown
}

const encode = ({ salt, name, value }: Disclosure): string =>
  Buffer.from(JSON.stringify([salt, name, value]), 'utf8').toString('base64url')

const hashDisclosure = (encoded: string): string => createHash('sha256').update(encoded, 'ascii').digest('base64url')

/** Signs an SD-JWT (RFC 9901) over a compact JWS (RFC 7515). Sorted digests say nothing by their order (§4.2.4.1). */
export const signReceipt = async (
  { kid, alg, privateKey }: ReceiptSigningKey,
  claims: object,
  disclosures: readonly Disclosure[],
): Promise<string> => {
  const encoded = disclosures.map(encode)
  const payload = { ...claims, _sd: encoded.map(hashDisclosure).sort(), _sd_alg: 'sha-256' }
  const jws = await new CompactSign(Buffer.from(JSON.stringify(payload), 'utf8'))
    .setProtectedHeader({ alg, typ: RECEIPT_TYPE, kid })
    .sign(privateKey)
  return [jws, ...encoded, ''].join('~')
}
