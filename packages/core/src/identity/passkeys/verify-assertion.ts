import type { PasskeyRefusal } from '../authentication/refusals.ts'
import type { IdentityDeps } from '../deps.ts'
import type { Challenge } from '../records/challenge.ts'
import { answerRefusal, type Passkey, type PasskeyUse } from '../records/passkey.ts'
import { authenticatorRefusal, readAuthenticatorData } from './authenticator-data.ts'
import { clientDataRefusal } from './client-data.ts'
import { parseCoseKey } from './cose-key.ts'
import type { AssertedCredential } from './credential-input.ts'
import { isSignedWith, type Signed } from './signature.ts'

/** A verified use of a passkey, before it is recorded. */
interface Assertion extends Omit<PasskeyUse, 'now'> {
  /** Whether the authenticator verified the user, for example by a fingerprint. */
  readonly userVerified: boolean
}

const bytesOf = ({ authenticatorData, clientDataJSON, signature }: AssertedCredential): Signed => ({
  authenticatorData: Buffer.from(authenticatorData, 'base64url'),
  clientData: Buffer.from(clientDataJSON, 'base64url'),
  signature: Buffer.from(signature, 'base64url'),
})

/**
 * Verifies that the passkey answered the ceremony (WebAuthn Level 3 §7.2, steps 5 to 22). Returns the use to record, or the
 * first reason against the answer. The signature is checked first: any other reason means that the passkey did sign. The
 * counter is checked again when the use is recorded.
 */
export const verifyAssertion = (
  { options }: Pick<IdentityDeps, 'options'>,
  taken: Challenge<'passkey_login'>,
  credential: AssertedCredential,
  passkey: Passkey,
): Assertion | PasskeyRefusal => {
  const key = parseCoseKey(new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')))
  const signed = bytesOf(credential)
  if (key === undefined || !isSignedWith(key, signed)) return 'signature'
  if (credential.rawId !== credential.id) return 'credential_id'
  const data = readAuthenticatorData(signed.authenticatorData)
  if (data === undefined) return 'authenticator_data'
  const refusal =
    answerRefusal(taken, passkey, credential.userHandle) ??
    clientDataRefusal(options, taken, 'webauthn.get', credential.clientDataJSON) ??
    authenticatorRefusal(options, taken.subject.userVerification, data)
  if (refusal !== undefined) return refusal
  const { counter: signCount, flags } = data
  if (flags.be !== passkey.backupEligible) return 'backup_eligibility'
  if ((signCount > 0 || passkey.signCount > 0) && signCount <= passkey.signCount) return 'counter'
  return { userId: passkey.userId, id: passkey.id, signCount, backedUp: flags.bs, userVerified: flags.uv }
}
