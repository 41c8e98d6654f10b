import { CountersignError } from '../errors/countersign-error.ts'
import { type Bytes, fromBase64, toBase64, utf8 } from './bytes.ts'
import { canonicalJson } from './canonical-json.ts'

/** Computes a hash, at once or later, as `@noble/hashes`, `expo-crypto` and WebCrypto do. */
export type Digest = (bytes: Bytes) => ArrayBuffer | Uint8Array | Promise<ArrayBuffer | Uint8Array>

/** A challenge as the service sends it. */
export interface Committed {
  readonly challenge: string
  /** 64 bytes in base64. An older service sends no nonce. */
  readonly nonce?: string | undefined
}

/** The members that every statement has, sorted. A vote for an approval request also has `approval`. */
export const STATEMENT_MEMBERS =
  'actionPayload,actionType,actionTypeVersion,confirmationId,context,createdAt,display,expiresAt,iss,onBehalfOf,operation,' +
  'requester,subject,tenant'

/** The base64 text of exactly 64 bytes. */
const NONCE = /^[\w+/]{86}==$/

/**
 * Returns the challenge if it covers this statement: SHA-512 over the domain `countersign.PURPOSE`, a zero byte, the 64 bytes of
 * the nonce and the canonical JSON of the statement, as padded base64. Without the domain, a dishonest service could get a
 * signature for one purpose by asking for another. @throws CountersignError `CHALLENGE_MISMATCH`
 */
export const requireCommitment = async (
  sha512: Digest,
  purpose: string,
  { challenge, nonce }: Committed,
  statement: object,
): Promise<string> => {
  if (typeof nonce === 'string' && NONCE.test(nonce)) {
    const bytes = [...utf8(`countersign.${purpose}\0`), ...fromBase64(nonce), ...utf8(canonicalJson(statement))]
    if (toBase64(await sha512(new Uint8Array(bytes))) === challenge) return challenge
  }
  throw new CountersignError('The challenge does not belong to the action shown; nothing was signed', {
    code: 'CHALLENGE_MISMATCH',
  })
}
