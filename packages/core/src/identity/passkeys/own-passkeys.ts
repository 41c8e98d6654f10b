import type { Checked } from '@countersign/contract'
import type { TimedStorage } from '../base-deps.ts'
import { reaches } from '../records/bound.ts'
import type { Passkey } from '../records/passkey.ts'
import { type BoundCaller, boundOfCaller, holdSession, type InSession } from '../sessions/bound-of-caller.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { listSigners, removeSigner } from '../signers/manage-signers.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { PasskeyNotFound } from './errors.ts'

/**
 * The caller's passkeys, oldest first, with whether each is trusted now; of a bound caller, those with its bound. @throws Invalid
 * @example const passkeys = await countersign.passkeys.list({ caller })
 */
export async function listPasskeys(
  deps: TimedStorage,
  { caller }: { readonly caller: BoundCaller },
): Promise<readonly WithTrust<Passkey>[]> {
  return listSigners(deps, caller, (userId) => deps.storage.passkeys.allOfUser(userId))
}

/**
 * Renames a passkey of the caller. @throws InvalidAccessToken if the session of the caller has ended
 * @throws PasskeyNotFound, also for a passkey of another user, or that a bound caller does not reach
 * @example await countersign.passkeys.rename({ caller, credentialId, name: 'Laptop' })
 */
export async function renamePasskey(
  { storage, clock }: TimedStorage,
  { caller, credentialId, name }: Checked<'passkeys.rename'> & InSession,
): Promise<WithTrust<Passkey>> {
  const tenants = await boundOfCaller({ storage }, caller)
  const renamed = await storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    const passkey = await tx.passkeys.lock(caller.userId, credentialId)
    if (passkey === undefined || !reaches(tenants, passkey.tenants)) return undefined
    return tx.passkeys.rename(caller.userId, credentialId, name)
  })
  if (renamed === undefined) throw new PasskeyNotFound()
  return withTrust(renamed, clock.now())
}

/**
 * Removes a passkey of the caller, ends the sessions that it opened, and undoes their work, in one transaction. The user's devices
 * are notified.
 * @throws PasskeyNotFound, also for a passkey of another user, or that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.passkeys.remove({ caller, credentialId })
 */
export async function removePasskey(
  deps: EndingDeps,
  { caller, credentialId }: Checked<'passkeys.remove'> & InSession,
): Promise<void> {
  await removeSigner(deps, caller, { kind: 'passkey', id: credentialId, NotFound: PasskeyNotFound })
}
