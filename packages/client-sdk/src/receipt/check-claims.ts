import { is64Bytes } from './challenge.ts'
import type { ConfirmationClaims } from './check-statement.ts'
import type { DeviceSignature } from './device-signature.ts'
import type { ParsedReceipt } from './parse-receipt.ts'
import { hasExactly, isObject, isTimestamp, type Members } from './strict-text.ts'
import { demand } from './verdict.ts'

/** The claims that every receipt has. */
export interface ReceiptClaims {
  readonly issuer: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly confirmation: ConfirmationClaims
  readonly signature: DeviceSignature
  readonly device: { readonly id: string; readonly jwk: Members }
  readonly digests: readonly string[]
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Members that a receipt never has: a receipt does not expire, and is not bound to a holder. */
const forbidden = ['exp', 'nbf', 'cnf', 'statement', 'registration', 'approver']

/**
 * Returns the claims of a receipt. Checks their types, and that they agree with each other.
 *
 * @throws Refused
 */
export const checkClaims = ({ payload }: Pick<ParsedReceipt, 'payload'>): ReceiptClaims => {
  const { iss, iat, jti, confirmation, signature, device, _sd, _sd_alg } = payload
  demand(_sd_alg === 'sha-256', 'claims', 'The receipt names another hash algorithm than sha-256')
  demand(!forbidden.some((name) => name in payload), 'claims', 'The receipt has claims that no receipt has')
  demand(
    isText(iss) && Number.isSafeInteger(iat) && Array.isArray(_sd) && _sd.every(isText),
    'claims',
    'The receipt lacks a claim',
  )
  demand(
    hasExactly(confirmation, 'approvedAt,challenge,expiresAt,id') &&
      hasExactly(signature, 'alg,over,value') &&
      hasExactly(device, 'id,jwk') &&
      isText(device.id) &&
      isObject(device.jwk),
    'claims',
    'The receipt lacks a claim about the confirmation, the signature or the device',
  )
  const { id, approvedAt, expiresAt, challenge } = confirmation
  demand(isText(id) && jti === id && is64Bytes(challenge), 'claims', 'The receipt does not name its confirmation')
  demand(isTimestamp(approvedAt) && isTimestamp(expiresAt), 'claims', 'The receipt has malformed times')
  demand(
    approvedAt < expiresAt && Math.floor(Date.parse(approvedAt) / 1000) <= (iat as number),
    'claims',
    'The times of the receipt contradict each other',
  )
  return {
    issuer: iss,
    issuedAt: iat as number,
    confirmation: { id, approvedAt, expiresAt, challenge },
    signature: signature as unknown as DeviceSignature,
    device: device as unknown as ReceiptClaims['device'],
    digests: _sd,
  }
}
