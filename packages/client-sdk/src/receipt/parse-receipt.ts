import type { Bytes } from '../shared/encoding/bytes.ts'
import { hasExactly, isObject, type Members, strictBase64Url, strictJson } from './strict-text.ts'
import { type Demand, demandAt, demandOf } from './verdict.ts'

const demand: Demand = demandOf('format')

/** A receipt in its parts. The issuer's signature is not checked yet. */
export interface ParsedReceipt {
  readonly alg: string
  readonly kid: string
  /** The bytes that the issuer signed, as text (RFC 7515 §5.1). */
  readonly signingInput: string
  readonly signature: Bytes
  readonly payload: Members
  /** The disclosures as sent, with their names and values (RFC 9901 §4.2). */
  readonly disclosures: readonly { readonly encoded: string; readonly name: string; readonly value: unknown }[]
}

const TYPE = 'countersign-receipt+sd-jwt'
/** Characters. Far more than the largest payload and display need. */
const LONGEST = 262_144
const NAMES = ['statement', 'registration', 'approver']

const parseDisclosure = (encoded: string) => {
  const value = strictJson(encoded)
  demand(Array.isArray(value) && value.length === 3, 'A disclosure is malformed')
  const [salt, name, content] = value as readonly unknown[]
  demand(typeof salt === 'string' && typeof name === 'string', 'A disclosure is malformed')
  demandAt('disclosure', NAMES.includes(name), 'A disclosure has an unknown name')
  return { encoded, name, value: content }
}

/** Parses an SD-JWT (RFC 9901 §4) over a compact JWS (RFC 7515 §7.1), in the strict form of a receipt. @throws Refused */
export const parseReceipt = (receipt: unknown): ParsedReceipt => {
  demand(typeof receipt === 'string' && receipt.length <= LONGEST, 'The receipt is not text, or is too long')
  const parts = receipt.split('~')
  // A key-binding JWT would follow the last tilde (RFC 9901 §4.3).
  demand(parts.pop() === '', 'The receipt does not end with a tilde, or has a key-binding JWT')
  const [jws = '', ...disclosed] = parts
  const [protectedPart = '', payloadPart = '', signaturePart, ...rest] = jws.split('.')
  const signature = strictBase64Url(signaturePart)
  demand(rest.length === 0 && signature, 'The issuer’s part is not a compact JWS')

  const header = strictJson(protectedPart)
  demand(isObject(header), 'The header is malformed')
  demand(!('crit' in header), 'The header has critical extensions')
  demand(header.typ === TYPE, 'The text is not a receipt: its header names another type')
  const { alg, kid } = header
  demand(
    hasExactly(header, 'alg,kid,typ') && typeof alg === 'string' && typeof kid === 'string',
    'The header has missing or unknown members',
  )
  const payload = strictJson(payloadPart)
  demand(isObject(payload), 'The payload is malformed')

  const disclosures = disclosed.map(parseDisclosure)
  demandAt('disclosure', new Set(disclosures.map(({ name }) => name)).size === disclosures.length, 'A disclosure is repeated')
  return { alg, kid, signingInput: `${protectedPart}.${payloadPart}`, signature, payload, disclosures }
}
