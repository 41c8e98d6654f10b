import { passkeyAlgorithms } from '@countersign/contract'
import { verifyRegistrationResponse } from '@simplewebauthn/server'
import { toBase64Url } from '../../shared/crypto/base64.ts'
import type { Challenge } from '../challenges/challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { readAttestationObject } from './attestation-object.ts'
import { challengeText } from './challenge-text.ts'
import { isOnOwnPage } from './client-data.ts'
import { type CoseKey, parseCoseKey } from './cose-key.ts'
import type { CreatedCredential } from './credential-input.ts'
import type { Passkey } from './passkey.ts'
import { isSignedWith } from './signature.ts'

/** The members of a passkey that its creation determines. */
export type Creation = Pick<Passkey, 'publicKey' | 'algorithm' | 'signCount' | 'backupEligible' | 'backedUp' | 'aaguid'>

/** A self attestation: a signature by the key of the passkey. */
interface SelfAttestation {
  readonly algorithm: unknown
  readonly signature: Uint8Array
  readonly authenticatorData: Uint8Array
}

/**
 * Returns the attestation of a new passkey: none, or a self attestation (WebAuthn Level 3 §8.7, §8.2). Returns `undefined` for
 * every other attestation: none was requested, and a check would fetch revocation lists from addresses in the certificates.
 * Returns `undefined` for an inexact encoding too.
 */
const attestationOf = (attestationObject: string): 'none' | SelfAttestation | undefined => {
  const object = readAttestationObject(Buffer.from(attestationObject, 'base64url'))
  if (object === undefined) return undefined
  const { format, statement, authenticatorData } = object
  if (format === 'none') return 'none'
  const [algorithm, signature] = [statement.get('alg'), statement.get('sig')]
  // The statement of a self attestation has exactly these two members.
  if (format !== 'packed' || statement.size !== 2 || !(signature instanceof Uint8Array)) return undefined
  return { algorithm, signature, authenticatorData }
}

const isAttestedBy = (key: CoseKey, attestation: SelfAttestation, clientData: Uint8Array): boolean => {
  const { algorithm, signature, authenticatorData } = attestation
  return algorithm === key.algorithm && isSignedWith(key, { authenticatorData, clientData, signature })
}

const verify = async (
  { options }: Pick<IdentityDeps, 'options'>,
  taken: Challenge<'passkey_registration'>,
  { id, rawId, clientDataJSON, attestationObject }: CreatedCredential,
): Promise<Creation | undefined> => {
  const attestation = attestationOf(attestationObject)
  if (attestation === undefined) return undefined
  const { relyingParty } = options
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: challengeText(taken),
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: taken.subject.userVerification === 'required',
    // Always set, because the default of the library probes experimental algorithms, and Node prints a warning about them.
    supportedAlgorithmIDs: [...passkeyAlgorithms],
  })
  if (registrationInfo === undefined) return undefined
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
  const key = parseCoseKey(credential.publicKey)
  if (credential.id !== id || key === undefined) return undefined
  if (attestation !== 'none' && !isAttestedBy(key, attestation, Buffer.from(clientDataJSON, 'base64url'))) return undefined
  return {
    publicKey: toBase64Url(credential.publicKey),
    algorithm: key.algorithm,
    signCount: credential.counter,
    backupEligible: credentialDeviceType === 'multiDevice',
    backedUp: credentialBackedUp,
    aaguid,
  }
}

/**
 * Verifies the creation of a passkey against the ceremony (WebAuthn Level 3 §7.1, steps 5 to 24); `undefined` where any step
 * fails. User presence is always required.
 */
export const verifyCreation = async (
  deps: Pick<IdentityDeps, 'options' | 'logger'>,
  taken: Challenge<'passkey_registration'>,
  credential: CreatedCredential,
): Promise<Creation | undefined> => {
  if (!isOnOwnPage(deps, credential.clientDataJSON)) return undefined
  try {
    return await verify(deps, taken, credential)
  } catch {
    // The error of the library repeats the request. The single refusal must not.
    return undefined
  }
}
