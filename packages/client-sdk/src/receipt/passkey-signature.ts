import { fromBase64, toBase64Url, utf8 } from '../shared/encoding/bytes.ts'
import { isSignedWith } from './device-signature.ts'
import { isObject, type Members, strictBase64Url } from './strict-text.ts'
import { type Demand, demandOf } from './verdict.ts'

const demand: Demand = demandOf('signature')

/** The signature of a passkey in a receipt: an assertion (WebAuthn Level 3 §7.2). */
export interface PasskeySignature {
  readonly alg: unknown
  readonly value: unknown
  readonly authenticatorData: unknown
  readonly clientDataJSON: unknown
  readonly origin: unknown
}

const DOMAIN = 'countersign.passkey-approval.v1'

/** The flags of authenticator data (WebAuthn Level 3 §6.1): user present, user verified; backed up without being eligible. */
const PRESENT_AND_VERIFIED = 0b101
const ELIGIBLE = 0b1000
const BACKED_UP = 0b10000

const readClientData = (bytes: Uint8Array): Members => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Checks the passkey's approval: its origin and relying party, with the user present and verified. @throws Refused */
export const checkPasskeySignature = async (
  subtle: SubtleCrypto,
  { jwk, rpId }: { readonly jwk: unknown; readonly rpId?: unknown },
  { alg, value, origin, ...encoded }: PasskeySignature,
  challenge: string,
): Promise<void> => {
  const signature = strictBase64Url(value)
  const data = strictBase64Url(encoded.authenticatorData)
  const client = strictBase64Url(encoded.clientDataJSON)
  demand(signature && data && data.length >= 37 && client, 'The signature of the passkey is malformed')
  demand(alg === 'ES256' || alg === 'RS256', 'The algorithm is unknown')
  const hash = async (bytes: BufferSource) => new Uint8Array(await subtle.digest('SHA-256', bytes))
  const signed = new Uint8Array([...data, ...(await hash(client))])
  demand(await isSignedWith(subtle, jwk, alg, signature, signed, 'signature'), 'The passkey did not sign')

  const own = await hash(new Uint8Array([...utf8(`${DOMAIN}\0`), ...fromBase64(challenge)]))
  const said = readClientData(client)
  demand(said.type === 'webauthn.get', 'The passkey signed something else than a use of the passkey')
  demand(said.challenge === toBase64Url(own.buffer), 'The passkey signed another challenge')
  demand(said.origin === origin, 'The passkey signed on a page of another origin')
  demand((said.crossOrigin ?? false) === false && said.topOrigin === undefined, 'The passkey signed in a frame of another page')
  const relyingParty = toBase64Url((await hash(utf8(String(rpId)))).buffer)
  demand(toBase64Url(data.slice(0, 32).buffer) === relyingParty, 'The passkey signed for another relying party')
  const flags = data[32] ?? 0
  demand((flags & PRESENT_AND_VERIFIED) === PRESENT_AND_VERIFIED, 'The passkey did not verify its user')
  demand(!(flags & BACKED_UP) || flags & ELIGIBLE, 'The flags of the passkey contradict each other')
}
