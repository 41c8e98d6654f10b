import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { Challenge } from '../challenges/challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { isExactAssertion } from './authenticator-data.ts'
import { challengeText } from './challenge-text.ts'
import { isOnOwnPage } from './client-data.ts'
import { parseCoseKey } from './cose-key.ts'
import type { AssertedCredential } from './credential-input.ts'
import type { Passkey } from './passkey.ts'
import { isSignedWith, type Signed } from './signature.ts'
import type { PasskeyUse } from './store.ts'

/** A verified use of a passkey, before it is recorded. */
interface Assertion extends Omit<PasskeyUse, 'now'> {
  /** Whether the authenticator verified the user, for example by a fingerprint. */
  readonly userVerified: boolean
}

const bytesOf = ({
  authenticatorData,
  clientDataJSON,
  signature,
}: Pick<AssertedCredential, 'authenticatorData' | 'clientDataJSON' | 'signature'>): Signed => ({
  authenticatorData: Buffer.from(authenticatorData, 'base64url'),
  clientData: Buffer.from(clientDataJSON, 'base64url'),
  signature: Buffer.from(signature, 'base64url'),
})

const verify = async (
  { options }: Pick<IdentityDeps, 'options'>,
  taken: Challenge<'passkey_login'>,
  { id, rawId, userHandle: _, ...response }: AssertedCredential,
  passkey: Passkey,
): Promise<Assertion | undefined> => {
  const { relyingParty } = options
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'))
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { id, rawId, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: challengeText(taken),
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: relyingParty.id,
    requireUserVerification: taken.subject.userVerification === 'required',
    credential: { id: passkey.id, publicKey, counter: passkey.signCount },
  })
  const key = parseCoseKey(publicKey)
  const signed = bytesOf(response)
  if (!verified || key === undefined || !isSignedWith(key, signed)) return undefined
  if (!isExactAssertion(signed.authenticatorData)) return undefined
  const isEligible = authenticationInfo.credentialDeviceType === 'multiDevice'
  if (isEligible !== passkey.backupEligible) return undefined
  return {
    userId: passkey.userId,
    id: passkey.id,
    signCount: authenticationInfo.newCounter,
    backedUp: authenticationInfo.credentialBackedUp,
    userVerified: authenticationInfo.userVerified,
  }
}

/**
 * Verifies that the passkey answered the ceremony (WebAuthn Level 3 §7.2, steps 7 to 22). Returns the use to record;
 * `undefined` where any step fails. User presence is always required. `mayAnswer` decides whether the passkey may answer at
 * all. The counter is checked when the use is recorded.
 */
export const verifyAssertion = async (
  deps: Pick<IdentityDeps, 'options' | 'logger'>,
  taken: Challenge<'passkey_login'>,
  credential: AssertedCredential,
  passkey: Passkey,
): Promise<Assertion | undefined> => {
  if (!isOnOwnPage(deps, credential.clientDataJSON)) return undefined
  try {
    return await verify(deps, taken, credential, passkey)
  } catch {
    // The error of the library repeats the request. The single refusal must not.
    return undefined
  }
}
