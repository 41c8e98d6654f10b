import type { Checked } from '@countersign/contract'
import type { FromClient } from '../../shared/from-client.ts'
import type { IdentityDeps } from '../deps.ts'
import { logInBySignature } from '../login/log-in-by-signature.ts'
import { type AnsweringPasskey, answerRefusal, coseAlgorithms } from '../records/passkey.ts'
import { logRefusal, type PasskeyRefusal, shortened } from '../refusals.ts'
import type { IdentityStores } from '../stores.ts'
import type { TokenPair } from '../tokens/issue-tokens.ts'
import { readAssertedCredential } from './credential-input.ts'
import { InvalidPasskey } from './errors.ts'
import { loadCeremonies } from './load-ceremonies.ts'

/**
 * Logs in by a signature of a passkey, and opens a standard session. Several users may have a passkey with the same credential id;
 * the ceremony or the user handle identifies the user. Each challenge allows one attempt.
 * @throws Invalid for invalid base64 and malformed structures, InvalidPasskey for every other failure
 * @throws AccountLocked if a passkey proved its key, and its user is locked or disabled
 * @example const tokens = await countersign.passkeys.finishLogin({ challengeId, credential, address: request.ip })
 */
export async function finishLogin(deps: IdentityDeps, input: Checked<'passkeys.finishLogin'> & FromClient): Promise<TokenPair> {
  const { storage, users, clock } = deps
  const credential = readAssertedCredential(input.credential)
  const { verifyAssertion, decoyPasskey, requireAssertionForm } = await loadCeremonies()
  requireAssertionForm(credential)
  const now = clock.now()
  const taken = await storage.challenges.consume(input.challengeId, 'passkey_login', null, now)
  if (taken === undefined) throw refused(deps, 'challenge')

  const passkeys = await storage.passkeys.withId(credential.id)
  const decoy = decoyPasskey(taken.subject.rs256.includes(credential.id) ? coseAlgorithms.RS256 : coseAlgorithms.ES256)
  // A passkey that must not answer is checked too, so that the reason can be logged. The check uses the algorithm of the
  // decoy, so that the work is the same for every such id.
  const passkey: AnsweringPasskey =
    passkeys.find((one) => answerRefusal(taken, one, credential.userHandle) === undefined) ??
    passkeys.find(({ algorithm }) => algorithm === decoy.algorithm) ??
    decoy
  const assertion = verifyAssertion(deps, taken, credential, passkey)
  // The user is looked up for every answer, so that a refused answer takes the same work.
  const user = await users.byId(passkey.userId)
  if (typeof assertion === 'string') throw refused(deps, assertion, assertion === 'signature' ? undefined : passkey)

  const { userVerified, ...use } = assertion
  const login = { authMethod: 'webauthn', passkeyId: passkey.id, userVerified, tenants: passkey.tenants } as const
  const signed = {
    ...input,
    use: (tx: IdentityStores) => tx.passkeys.use({ ...use, now }),
    refused: (because: 'user' | 'signer') => refused(deps, because === 'user' ? 'user' : 'counter', passkey),
  }
  return logInBySignature(deps, user, login, signed, now)
}

/** Logs why a login is refused, with the passkey that signed. Returns the error for the caller, which has no reason. */
const refused = ({ logger }: IdentityDeps, reason: PasskeyRefusal, signer?: AnsweringPasskey): InvalidPasskey => {
  logRefusal(logger, 'passkey_refused', reason, signer && { userId: signer.userId, passkeyId: shortened(signer.id) })
  return new InvalidPasskey()
}
