import { isExactCreation } from './authenticator-data.ts'
import { readCbor } from './cbor.ts'

/** The attestation object of a new passkey (WebAuthn Level 3 §6.5.4). */
export interface AttestationObject {
  readonly format: string
  readonly statement: ReadonlyMap<unknown, unknown>
  readonly authenticatorData: Uint8Array
}

/** Reads an attestation object; `undefined` if the encoding is not exact, including the key and the extension outputs. */
export const readAttestationObject = (bytes: Uint8Array): AttestationObject | undefined => {
  const object = readCbor(bytes)
  if (!(object instanceof Map)) return undefined
  const members: ReadonlyMap<unknown, unknown> = object
  const [format, statement, authenticatorData] = [members.get('fmt'), members.get('attStmt'), members.get('authData')]
  if (typeof format !== 'string' || !(statement instanceof Map) || !(authenticatorData instanceof Uint8Array)) return undefined
  return isExactCreation(authenticatorData) ? { format, statement, authenticatorData } : undefined
}
