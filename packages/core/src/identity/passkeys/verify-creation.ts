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

/** What is known of a passkey from how it was created. */
export type Creation = Pick<Passkey, 'publicKey' | 'algorithm' | 'signCount' | 'backupEligible' | 'backedUp' | 'aaguid'>

/** That the passkey vouches for itself. */
interface SelfAttestation {
  readonly algorithm: unknown
  readonly signature: Uint8Array
  readonly authenticatorData: Uint8Array
}

/**
 * Who vouches for the passkey: nobody, or the passkey itself by a signature (WebAuthn Level 3 §8.7,
 * §8.2). `undefined` where anybody else does: that was not asked for, and to check it would mean to fetch revocation lists
 * from wherever the certificates say. `undefined` too where the object is not exactly one.
 */
const attestationOf = (attestationObject: string): 'none' | SelfAttestation | undefined => {
  const object = readAttestationObject(Buffer.from(attestationObject, 'base64url'))
  if (object === undefined) return undefined
  const { format, statement, authenticatorData } = object
  if (format === 'none') return 'none'
  const [algorithm, signature] = [statement.get('alg'), statement.get('sig')]
  // A statement of self attestation has these two members, and no others.
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
    // Always named: the library's default asks the runtime about experimental algorithms, of which Node warns.
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
 * Checks the creation of a passkey (WebAuthn Level 3 §7.1, steps 5 to 24) against what the ceremony asked for; `undefined`
 * where any step fails. User presence is always demanded.
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
    // What is wrong, the library says in a text that holds what was sent. The one refusal there is says nothing of it.
    return undefined
  }
}
