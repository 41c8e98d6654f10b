import type { Checked } from '@countersign/contract'
import type { IdentityDeps } from '../deps.ts'
import { type FromClient, seenClient } from '../login/from-client.ts'
import { rememberClient } from '../login/remember-client.ts'
import { newSession } from '../sessions/new-session.ts'
import { openSession } from '../sessions/open-session.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { mayLogIn } from '../users/user.ts'
import { readAssertedCredential } from './credential-input.ts'
import { InvalidPasskey } from './errors.ts'
import { loadCeremonies } from './load-ceremonies.ts'
import { coseAlgorithms, mayAnswer } from './passkey.ts'

type FinishLoginDeps = Pick<
  IdentityDeps,
  'storage' | 'users' | 'clock' | 'random' | 'tokenKeys' | 'encryptionKeys' | 'options' | 'logger' | 'loginSourceOf'
>

/**
 * Logs in by a signature of a passkey, and opens a standard session. The challenge is consumed before any cryptography, so that
 * each challenge allows one attempt. Several users may have a passkey with the same credential id; the ceremony or the user
 * handle identifies the user. One transaction writes the counter of the passkey and the session.
 *
 * @throws Invalid for invalid base64 and malformed structures
 * @throws InvalidPasskey for every other failure
 */
export const finishLogin = async (
  deps: FinishLoginDeps,
  input: Checked<'passkeys.finishLogin'> & FromClient,
): Promise<TokenPair> => {
  const { storage, users, clock } = deps
  const credential = readAssertedCredential(input.credential)
  const { verifyAssertion, decoyPasskey, requireAssertionForm } = await loadCeremonies()
  requireAssertionForm(credential)
  const now = clock.now()
  const taken = await storage.challenges.consume(input.challengeId, 'passkey_login', null, now)
  if (taken === undefined) throw new InvalidPasskey()

  const passkeys = await storage.passkeys.withId(credential.id)
  const passkey = passkeys.find((one) => mayAnswer(taken, one, credential.userHandle))
  const decoy = decoyPasskey(taken.subject.rs256.includes(credential.id) ? coseAlgorithms.RS256 : coseAlgorithms.ES256)
  const assertion = await verifyAssertion(deps, taken, credential, passkey ?? decoy)
  const user = await users.byId(passkey?.userId ?? 0)
  if (passkey === undefined || assertion === undefined || user === undefined || !mayLogIn(user)) {
    throw new InvalidPasskey()
  }

  const { userVerified, ...use } = assertion
  const login = {
    userId: user.id,
    authMethod: 'webauthn',
    passkeyId: passkey.id,
    userVerified,
    rememberMe: input.rememberMe ?? false,
    client: seenClient(input),
  } as const
  const session = newSession(deps, login, now)
  const admitted = await openSession(deps, user, session, async (tx) => {
    if (!(await tx.passkeys.use({ ...use, now }))) return false
    await rememberClient(deps, tx, user, input.address)
    return true
  })
  if (admitted === undefined) throw new InvalidPasskey()
  return issueTokens(deps, admitted, session, now)
}
