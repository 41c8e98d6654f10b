import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { UserVerificationRequirement } from '@countersign/contract'
import { jwkThumbprint } from '../../shared/crypto/jwk-thumbprint.ts'
import type { IdentityDeps } from '../deps.ts'
import type { RelyingParty } from '../options.ts'
import type { Challenge } from '../records/challenge.ts'
import { type AnsweringPasskey, answerRefusal, type PasskeyUse } from '../records/passkey.ts'
import type { PasskeyRefusal } from '../refusals.ts'
import { authenticatorRefusal, readAuthenticatorData } from './authenticator-data.ts'
import { challengeText } from './ceremony-options.ts'
import { clientDataRefusal, readOrigin } from './client-data.ts'
import { type CoseKey, isSignedWith, parseCoseKey, type Signed } from './cose-key.ts'
import type { AssertedCredential } from './credential-input.ts'

/** A verified use of a passkey, before it is recorded, and whether the authenticator verified the user. */
type Assertion = Omit<PasskeyUse, 'now'> & { readonly userVerified: boolean }

interface Ceremony extends Pick<RelyingParty, 'id' | 'origins'> {
  /** In base64url. */
  readonly challenge: string
  readonly userVerification: UserVerificationRequirement
}

const bytesOf = ({ authenticatorData, clientDataJSON, signature }: AssertedCredential): Signed => ({
  authenticatorData: Buffer.from(authenticatorData, 'base64url'),
  clientData: Buffer.from(clientDataJSON, 'base64url'),
  signature: Buffer.from(signature, 'base64url'),
})

const readKey = ({ publicKey }: AnsweringPasskey): CoseKey | undefined =>
  parseCoseKey(new Uint8Array(Buffer.from(publicKey, 'base64url')))

/**
 * Verifies that the passkey answered the ceremony (WebAuthn Level 3 §7.2, steps 5 to 22). Returns the use to record, or the first
 * reason against the answer. Any other reason than `signature` means that the passkey did sign. `unfit`: a reason of the caller.
 */
const verify = (
  ceremony: Ceremony,
  credential: AssertedCredential,
  passkey: AnsweringPasskey,
  key: CoseKey | undefined,
  unfit: PasskeyRefusal | undefined,
): Assertion | PasskeyRefusal => {
  const signed = bytesOf(credential)
  if (key === undefined || !isSignedWith(key, signed)) return 'signature'
  if (credential.rawId !== credential.id) return 'credential_id'
  const data = readAuthenticatorData(signed.authenticatorData)
  if (data === undefined) return 'authenticator_data'
  const refusal =
    unfit ??
    clientDataRefusal(ceremony, ceremony.challenge, 'webauthn.get', credential.clientDataJSON) ??
    authenticatorRefusal(ceremony, ceremony.userVerification, data)
  if (refusal !== undefined) return refusal
  const { counter: signCount, flags } = data
  if (flags.be !== passkey.backupEligible) return 'backup_eligibility'
  if ((signCount > 0 || passkey.signCount > 0) && signCount <= passkey.signCount) return 'counter'
  return { userId: passkey.userId, id: passkey.id, signCount, backedUp: flags.bs, userVerified: flags.uv }
}

/** Verifies that the passkey answered the login. See `verify`. */
export const verifyAssertion = (
  { options }: IdentityDeps,
  taken: Challenge<'passkey_login'>,
  credential: AssertedCredential,
  passkey: AnsweringPasskey,
): Assertion | PasskeyRefusal => {
  const { id, origins } = options.relyingParty
  const ceremony = { id, origins, challenge: challengeText(taken), userVerification: taken.subject.userVerification }
  return verify(ceremony, credential, passkey, readKey(passkey), answerRefusal(taken, passkey, credential.userHandle))
}

/** The domain separates approvals from logins: no assertion of an approval is accepted for a login, nor the reverse. */
const APPROVAL_DOMAIN = 'countersign.passkey-approval.v1'

/**
 * Verifies that the passkey approved a challenge of 64 bytes, in padded base64, on a page of these origins and with its user
 * verified. The client data must be UTF-8 without a byte order mark, because verifiers of receipts read nothing else. Returns the
 * use to record, the algorithm and the RFC 7638 thumbprint of the key, and the origin of the page that asked.
 */
export const verifyApproval = (
  approverPages: Pick<RelyingParty, 'id' | 'origins'>,
  challenge: string,
  credential: AssertedCredential,
  passkey: AnsweringPasskey,
) => {
  const hash = createHash('sha256').update(`${APPROVAL_DOMAIN}\0`).update(Buffer.from(challenge, 'base64'))
  const { id, origins } = approverPages
  const ceremony = { id, origins, challenge: hash.digest('base64url'), userVerification: 'required' } as const
  const key = readKey(passkey)
  const { clientData } = bytesOf(credential)
  const isText = isUtf8(clientData) && clientData[0] !== BYTE_ORDER_MARK
  const assertion = verify(ceremony, credential, passkey, key, isText ? undefined : 'type')
  if (key === undefined) return 'signature'
  if (typeof assertion === 'string') return assertion
  const { userVerified: _, ...use } = assertion
  const origin = readOrigin(credential.clientDataJSON)
  return { use, algorithm: key.name, keyThumbprint: jwkThumbprint(key.key), origin }
}

/** The first byte of a byte order mark. No JSON begins with it. */
const BYTE_ORDER_MARK = 0xef
