import type { Checked } from '@countersign/contract'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import type { Caller } from '../authentication/caller.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import { logRefusal, shortened } from '../authentication/refusals.ts'
import { takeUsersChallenge } from '../challenges/take-users-challenge.ts'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { defaultName, type Passkey } from '../records/passkey.ts'
import { isTrusted } from '../records/trust.ts'
import { decideTrust } from '../trust/decide-trust.ts'
import { type Registered, withTrust } from '../trust/with-trust.ts'
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
 * Registers the passkey that the browser of the caller created. The challenge is consumed before any cryptography, so that each
 * challenge allows one attempt. The session of the caller must be live when the passkey is stored. `initialTrust` decides
 * whether the passkey is trusted or on probation. The user's devices are notified.
 *
 * @throws Invalid, PasskeyRegistrationNotFound, PasskeyRegistrationGone, InvalidPasskey, InvalidAccessToken,
 *   PasskeyAlreadyRegistered, TooManyPasskeys
 */
export async function finishRegistration(
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'vouching' | 'options'>,
  input: Checked<'passkeys.finishRegistration'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId'> } & FromClient,
): Promise<Registered<Passkey>> {
  const { storage, clock, options } = deps
  const credential = readCreatedCredential(input.credential)
  const { verifyCreation, requireCreationForm, passkeyThumbprint } = await loadCeremonies()
  requireCreationForm(credential)
  const now = clock.now()
  const asked = { id: input.challengeId, purpose: 'passkey_registration', userId: input.caller.userId, now } as const
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
  const keyThumbprint = passkeyThumbprint(creation)
  // A refusal throws inside the transaction, so that it does not spend the enrolment code.
  const { passkey, vouching } = await storage.transaction(async (tx) => {
    const trustedAt = await decideTrust(tx, options, { userId, sessionId, enrolmentCodeHash, now })
    const candidate: Passkey = { ...creation, ...unused, id, userId, userHandle, transports, discoverable, trustedAt }
    const outcome = await tx.passkeys.register(candidate, sessionId, options.passkeysPerUser)
    if (outcome === 'session_ended') throw new InvalidAccessToken()
    if (outcome === 'known') throw new PasskeyAlreadyRegistered()
    if (outcome === 'too_many') throw new TooManyPasskeys(options.passkeysPerUser)
    if (isTrusted(candidate, now)) return { passkey: candidate, vouching: undefined }
    const { name } = unused
    const requestedFrom = seenClient(input)
    const added = {
      kind: 'passkey',
      userId,
      id,
      name,
      type: 'passkey',
      keyThumbprint,
      requestedFrom,
      registeredBy: sessionId,
      now,
    } as const
    return { passkey: candidate, vouching: await deps.vouching.onProbation(added, tx) }
  })
  notifyOfChange(deps, { userId: passkey.userId, change: 'passkey_registered' })
  if (vouching !== undefined) deps.vouching.announce(userId, vouching)
  return { ...withTrust(passkey, now), ...(vouching !== undefined && { vouching }) }
}
