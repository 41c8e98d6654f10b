import type { Instant } from '../../shared/clock.ts'
import type { CountersignError } from '../../shared/errors.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { InvalidAccessToken } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import type { BoundToTenants } from '../records/bound.ts'
import type { Challenge } from '../records/challenge.ts'
import { isTrusted, type Trust } from '../records/trust.ts'
import { type RefusalReason, refusedRegistration } from '../refusals.ts'
import type { InSession } from '../sessions/bound-of-caller.ts'
import type { IdentityStores } from '../stores.ts'
import { decideTrust } from '../trust/initial-trust.ts'
import type { OnProbation } from '../trust/vouching-port.ts'
import { type Registered, withTrust } from '../trust/with-trust.ts'

/**
 * Consumes the challenge of a registration by a signed-in user. One of another user or purpose, or expired for more than a day,
 * counts as unknown. A refusal is logged.
 * @throws refusals.NotFound for an unknown challenge, refusals.Gone for one that was used or has expired
 */
export const takeUsersChallenge = async <Kind extends 'device' | 'passkey'>(
  deps: IdentityDeps,
  { id, kind, userId, now }: { readonly id: string; readonly kind: Kind; readonly userId: number; readonly now: Instant },
  refusals: Readonly<Record<'NotFound' | 'Gone', new () => CountersignError>>,
): Promise<Challenge<`${Kind}_registration`>> => {
  const purpose = `${kind}_registration` as const
  const taken = await deps.storage.challenges.consume(id, purpose, userId, now)
  if (taken !== undefined) return taken
  const wasIssued = await deps.storage.challenges.wasIssued(id, purpose, userId)
  const error = wasIssued ? new refusals.Gone() : new refusals.NotFound()
  throw refusedRegistration(deps, 'challenge', { kind, userId }, error)
}

type Signer = Trust & BoundToTenants

type Refusal = RefusalReason<'registration_refused'>

/** The registration of a device or passkey whose key has signed the challenge. */
interface SignerRegistration<T extends Signer, Outcome extends Refusal>
  extends Pick<OnProbation, 'kind' | 'id' | 'name' | 'type' | 'keyThumbprint' | 'now'> {
  readonly enrolmentCodeHash: string | undefined
  /** Returns the device or passkey with this trust and bound. */
  readonly create: (given: Signer) => T
  /** Stores it. An outcome other than `registered` is a refusal. */
  readonly store: (tx: IdentityStores, signer: T) => Promise<Outcome | 'registered' | 'session_ended'>
  readonly refusals: Readonly<Record<Outcome, () => Error>>
}

/**
 * Stores a new device or passkey in one transaction, trusted or on probation as `initialTrust` decides. On probation, a trusted
 * device is asked to vouch for it. The user's devices are notified. A refusal is logged.
 * @throws InvalidAccessToken if the session that registers has ended, or the error of the refusal
 */
export const registerSigner = async <T extends Signer, Outcome extends Refusal>(
  deps: IdentityDeps,
  input: InSession & FromClient,
  { enrolmentCodeHash, create, store, refusals, ...added }: SignerRegistration<T, Outcome>,
): Promise<Registered<T>> => {
  const { userId, sessionId } = input.caller
  const { kind, id, now } = added
  // A refusal throws inside the transaction, so that it does not spend the enrolment code.
  const { signer, vouching } = await deps.storage.transaction(async (tx) => {
    const signer = create(await decideTrust(tx, deps, { userId, sessionId, enrolmentCodeHash, now }))
    const outcome = await store(tx, signer)
    if (outcome !== 'registered') {
      const error = outcome === 'session_ended' ? new InvalidAccessToken() : refusals[outcome]()
      throw refusedRegistration(deps, outcome, { kind, userId }, error)
    }
    if (isTrusted(signer, now)) return { signer, vouching: undefined }
    const { tenants } = signer
    const onProbation = { ...added, userId, tenants, registeredBy: sessionId, requestedFrom: seenClient(input) }
    return { signer, vouching: await deps.vouching.onProbation(onProbation, tx) }
  })
  notifyOfChange(deps, { userId, change: `${kind}_registered`, ...(kind === 'device' && { except: id }) })
  if (vouching !== undefined) deps.vouching.announce(vouching)
  return { ...withTrust(signer, now), ...(vouching !== undefined && { vouching }) }
}
