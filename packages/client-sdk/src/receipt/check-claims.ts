import { is64Bytes } from './challenge.ts'
import type { DeviceSignature } from './device-signature.ts'
import type { ParsedReceipt } from './parse-receipt.ts'
import type { PasskeySignature } from './passkey-signature.ts'
import { hasExactly, isObject, isText, isTimestamp, type Members } from './strict-text.ts'
import { type CheckedReceipt, type Demand, demandOf } from './verdict.ts'

const demand: Demand = demandOf('claims')

export interface ReceiptClaims {
  readonly issuer: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly confirmation: CheckedReceipt['confirmation']
  readonly signer:
    | { readonly kind: 'device'; readonly signature: DeviceSignature }
    | { readonly kind: 'passkey'; readonly signature: PasskeySignature }
  /** `rpId`: the relying party of a passkey. */
  readonly device: { readonly id: string; readonly jwk: Members; readonly assurance: 'unattested'; readonly rpId?: string }
  readonly digests: readonly string[]
}

/** A receipt does not expire, and is not bound to a holder. So it has neither `exp` nor `cnf`. */
const CLAIMS = '_sd,_sd_alg,confirmation,device,iat,iss,jti,signature'

/** The last second that ECMAScript's `Date` can express. */
const LAST_SECOND = 8.64e12

/** Returns the claims of a receipt if their types are right and they agree with each other. @throws Refused */
export const checkClaims = ({ payload }: Pick<ParsedReceipt, 'payload'>): ReceiptClaims => {
  const { iss, iat, jti, confirmation, signature, device, _sd, _sd_alg } = payload
  demand(_sd_alg === 'sha-256', 'The receipt names another hash algorithm than sha-256')
  demand(hasExactly(payload, CLAIMS), 'The receipt has missing or unknown claims')
  demand(
    isText(iss) && Number.isInteger(iat) && Math.abs(iat as number) <= LAST_SECOND && Array.isArray(_sd) && _sd.every(isText),
    'The receipt has claims of wrong types',
  )
  const isPasskey = isObject(device) && device.kind === 'passkey'
  demand(
    hasExactly(confirmation, 'approvedAt,challenge,expiresAt,id') &&
      hasExactly(signature, isPasskey ? 'alg,authenticatorData,clientDataJSON,origin,value' : 'alg,over,value') &&
      hasExactly(device, isPasskey ? 'assurance,id,jwk,kind,rpId' : 'assurance,id,jwk') &&
      (!isPasskey || (isText(device.rpId) && isText(signature.origin))) &&
      device.assurance === 'unattested' &&
      isText(device.id) &&
      isObject(device.jwk),
    'The claims about the confirmation, the signature or the device are malformed',
  )
  const { id, approvedAt, expiresAt, challenge } = confirmation
  demand(isText(id) && jti === id && is64Bytes(challenge), 'The receipt does not name its confirmation')
  demand(isTimestamp(approvedAt) && isTimestamp(expiresAt), 'The receipt has malformed times')
  demand(
    approvedAt < expiresAt && Math.floor(Date.parse(approvedAt) / 1000) <= (iat as number),
    'The times of the receipt contradict each other',
  )
  return {
    issuer: iss,
    issuedAt: iat as number,
    confirmation: { id, approvedAt, expiresAt, challenge },
    signer: { kind: isPasskey ? 'passkey' : 'device', signature } as unknown as ReceiptClaims['signer'],
    device: device as unknown as ReceiptClaims['device'],
    digests: _sd,
  }
}
