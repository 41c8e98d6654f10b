import type { Checked } from '@countersign/contract'
import type { FromClient } from '../../shared/from-client.ts'
import type { IdentityDeps } from '../deps.ts'
import { defaultName, type Passkey } from '../records/passkey.ts'
import { logRefusal, shortened } from '../refusals.ts'
import type { InSession } from '../sessions/bound-of-caller.ts'
import { registerSigner, takeUsersChallenge } from '../signers/register-signer.ts'
import type { Registered } from '../trust/with-trust.ts'
import { readCreatedCredential } from './credential-input.ts'
import {
  InvalidPasskey,
  PasskeyAlreadyRegistered,
  PasskeyRegistrationGone,
  PasskeyRegistrationNotFound,
  TooManyPasskeys,
} from './errors.ts'
import { loadCeremonies } from './load-ceremonies.ts'

/**
 * Registers the passkey that the browser of the caller created. Each challenge allows one attempt. The session of the caller must
 * be live when the passkey is stored (see `registerSigner`).
 * @throws Invalid, PasskeyRegistrationNotFound, PasskeyRegistrationGone, InvalidPasskey, InvalidAccessToken,
 * PasskeyAlreadyRegistered, TooManyPasskeys
 * @example await countersign.passkeys.finishRegistration({ caller, challengeId, credential, name: 'Laptop' })
 */
export async function finishRegistration(
  deps: IdentityDeps,
  input: Checked<'passkeys.finishRegistration'> & InSession & FromClient,
): Promise<Registered<Passkey>> {
  const credential = readCreatedCredential(input.credential)
  const { verifyCreation, requireCreationForm, passkeyThumbprint } = await loadCeremonies()
  requireCreationForm(credential)
  const now = deps.clock.now()
  const asked = { id: input.challengeId, kind: 'passkey', userId: input.caller.userId, now } as const
  const refusals = { NotFound: PasskeyRegistrationNotFound, Gone: PasskeyRegistrationGone }
  const taken = await takeUsersChallenge(deps, asked, refusals)
  const { userId, sessionId } = input.caller
  const creation = verifyCreation(deps, taken, credential)
  if (typeof creation === 'string') {
    logRefusal(deps.logger, 'passkey_refused', creation, { userId, passkeyId: shortened(credential.id) })
    throw new InvalidPasskey()
  }

  const { id, transports, discoverable } = credential
  const { userHandle, enrolmentCodeHash } = taken.subject
  const unused = { name: input.name ?? defaultName(now), createdAt: now, lastUsedAt: null }
  const limit = deps.options.passkeysPerUser
  return registerSigner(deps, input, {
    kind: 'passkey',
    id,
    name: unused.name,
    type: 'passkey',
    keyThumbprint: passkeyThumbprint(creation),
    enrolmentCodeHash,
    now,
    create: (given): Passkey => ({ ...creation, ...unused, ...given, id, userId, userHandle, transports, discoverable }),
    store: (tx, passkey) => tx.passkeys.register(passkey, sessionId, limit),
    refusals: { known: () => new PasskeyAlreadyRegistered(), too_many: () => new TooManyPasskeys(limit) },
  })
}
