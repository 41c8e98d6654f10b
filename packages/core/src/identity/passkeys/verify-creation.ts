import { convertAAGUIDToString } from '@simplewebauthn/server/helpers'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import { toSpkiPem } from '../../shared/crypto/device-key.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Challenge } from '../records/challenge.ts'
import type { Passkey } from '../records/passkey.ts'
import type { PasskeyRefusal } from '../refusals.ts'
import {
  type AttestationObject,
  authenticatorRefusal,
  readAttestationObject,
  readAuthenticatorData,
} from './authenticator-data.ts'
import { challengeText } from './ceremony-options.ts'
import { clientDataRefusal } from './client-data.ts'
import { type CoseKey, isSignedWith, parseCoseKey } from './cose-key.ts'
import type { CreatedCredential } from './credential-input.ts'

/** The members of a passkey that its creation determines. */
export type Creation = Pick<Passkey, 'publicKey' | 'spki' | 'algorithm' | 'signCount' | 'backupEligible' | 'backedUp' | 'aaguid'>

/** The formats whose statements have certificates (WebAuthn Level 3 §8). */
const CERTIFIED_FORMATS: ReadonlySet<string> = new Set(['packed', 'fido-u2f', 'tpm', 'android-key', 'apple'])

/**
 * Returns whether the attestation is accepted: none, a valid self attestation (WebAuthn Level 3 §8.7, §8.2), or certificates,
 * which Firefox on Windows sends unasked. They are not read: a check would fetch lists from addresses in them.
 */
const isAccepted = ({ format, statement, authenticatorData }: AttestationObject, key: CoseKey, clientData: Uint8Array) => {
  if (format === 'none') return statement.size === 0
  const certificates = statement.get('x5c')
  if (Array.isArray(certificates)) return certificates.length > 0 && CERTIFIED_FORMATS.has(format)
  const signature = statement.get('sig')
  // The statement of a self attestation has exactly two members.
  if (format !== 'packed' || statement.size !== 2 || !(signature instanceof Uint8Array)) return false
  return statement.get('alg') === key.algorithm && isSignedWith(key, { authenticatorData, clientData, signature })
}

/** Returns the new passkey of a ceremony, or the first reason against its creation (WebAuthn Level 3 §7.1, steps 5 to 24). */
export const verifyCreation = (
  { options }: Pick<IdentityDeps, 'options'>,
  taken: Challenge<'passkey_registration'>,
  { id, rawId, clientDataJSON, attestationObject }: CreatedCredential,
): Creation | PasskeyRefusal => {
  const object = readAttestationObject(Buffer.from(attestationObject, 'base64url'))
  const data = object && readAuthenticatorData(object.authenticatorData)
  if (object === undefined || data === undefined) return 'authenticator_data'
  const { credentialID, credentialPublicKey, aaguid, flags, counter: signCount } = data
  if (credentialID === undefined || credentialPublicKey === undefined || aaguid === undefined) return 'authenticator_data'
  const refusal =
    clientDataRefusal(options.relyingParty, challengeText(taken), 'webauthn.create', clientDataJSON) ??
    authenticatorRefusal(options.relyingParty, taken.subject.userVerification, data)
  if (refusal !== undefined) return refusal
  if (rawId !== id || toBase64Url(credentialID) !== id) return 'credential_id'
  const key = parseCoseKey(credentialPublicKey)
  if (key === undefined) return 'key'
  if (!isAccepted(object, key, Buffer.from(clientDataJSON, 'base64url'))) return 'attestation'
  return {
    publicKey: toBase64Url(credentialPublicKey),
    spki: toSpkiPem(key.key),
    algorithm: key.algorithm,
    signCount,
    backupEligible: flags.be,
    backedUp: flags.bs,
    aaguid: convertAAGUIDToString(aaguid),
  }
}
