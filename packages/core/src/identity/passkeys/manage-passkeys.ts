import type { Checked } from '@countersign/contract'
import type { IdentityStorage, TimedStorage } from '../base-deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import { reaches } from '../records/bound.ts'
import type { Passkey } from '../records/passkey.ts'
import { type BoundCaller, boundOfCaller, holdSession, type InSession } from '../sessions/bound-of-caller.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { listSigners, removeSigner, trustSigner } from '../signers/manage-signers.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'
import { PasskeyNotFound, PasskeyOfSeveralUsers } from './errors.ts'

/**
 * The caller's passkeys, oldest first, with whether each is trusted now; of a bound caller, those with its bound. @throws Invalid
 * @example const passkeys = await countersign.passkeys.list({ caller })
 */
export async function listPasskeys(
  deps: TimedStorage,
  { caller }: { readonly caller: BoundCaller },
): Promise<readonly WithTrust<Passkey>[]> {
  return listSigners(deps, caller, deps.storage.passkeys)
}

/**
 * Renames a passkey of the caller. @throws InvalidAccessToken if the session of the caller has ended
 * @throws PasskeyNotFound, also for a passkey of another user, or that a bound caller does not reach
 * @example await countersign.passkeys.rename({ caller, credentialId, name: 'Laptop' })
 */
export async function renamePasskey(
  deps: TimedStorage,
  input: Checked<'passkeys.rename'> & InSession,
): Promise<WithTrust<Passkey>> {
  const { caller, credentialId, name } = input
  const tenants = await boundOfCaller(deps, caller)
  const renamed = await deps.storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    const passkey = await tx.passkeys.lock(caller.userId, credentialId)
    return passkey && reaches(tenants, passkey.tenants) ? tx.passkeys.rename(caller.userId, credentialId, name) : undefined
  })
  if (renamed === undefined) throw new PasskeyNotFound()
  return withTrust(renamed, deps.clock.now())
}

/**
 * Removes a passkey of the caller, ends the sessions that it opened, and undoes their work, in one transaction. The user's devices
 * are notified.
 * @throws PasskeyNotFound, also for a passkey of another user, or that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.passkeys.remove({ caller, credentialId })
 */
export async function removePasskey(deps: EndingDeps, input: Checked<'passkeys.remove'> & InSession): Promise<void> {
  await removeSigner(deps, input.caller, { kind: 'passkey', id: input.credentialId, NotFound: PasskeyNotFound })
}

/**
 * The passkeys of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const passkeys = await countersign.passkeys.listOfUser({ email: 'ada@example.com' })
 */
export async function listPasskeysOfUser(deps: TimedStorage, { email }: ByEmail): Promise<readonly WithTrust<Passkey>[]> {
  const { id: userId } = await requireUser(deps, email)
  return listSigners(deps, { userId }, deps.storage.passkeys)
}

/** The passkey that an admin names. The email selects the user where several users have a passkey of this id. */
export interface PasskeyOfAdmin {
  readonly id: string
  readonly email?: string | undefined
}

/** Returns the passkey that an admin names. @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers */
const passkeyOfAdmin = async (deps: IdentityStorage, { id, email }: PasskeyOfAdmin): Promise<Passkey> => {
  const passkeys = await deps.storage.passkeys.withId(id)
  const owner = email === undefined ? undefined : await requireUser(deps, email)
  const [passkey, ...others] = owner === undefined ? passkeys : passkeys.filter(({ userId }) => userId === owner.id)
  if (passkey === undefined) throw new PasskeyNotFound()
  if (others.length > 0) throw new PasskeyOfSeveralUsers()
  return passkey
}

/**
 * Removes a passkey of any user by its id, for admins, as the user would. @throws UserNotFound, PasskeyNotFound,
 * PasskeyOfSeveralUsers
 * @example await countersign.passkeys.revoke({ id: passkey.id, email: 'ada@example.com' })
 */
export async function revokePasskey(deps: EndingDeps, input: PasskeyOfAdmin): Promise<Passkey> {
  const passkey = await passkeyOfAdmin(deps, input)
  await removeSigner(deps, { userId: passkey.userId }, { kind: 'passkey', id: passkey.id, NotFound: PasskeyNotFound })
  return passkey
}

/**
 * Makes a passkey of any user trusted, for admins, and cancels the cooling-off periods of the user. A bound passkey is bound no
 * longer. The user's devices are notified.
 * @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers, NothingToChange if it is trusted and not bound
 * @example await countersign.passkeys.trust({ id: passkey.id, email: 'ada@example.com' })
 */
export async function trustPasskey(deps: NotifyOfChangeDeps, input: PasskeyOfAdmin): Promise<WithTrust<Passkey>> {
  const { id, userId } = await passkeyOfAdmin(deps, input)
  const named = { kind: 'passkey', id, NotFound: PasskeyNotFound } as const
  const read = async () => (await deps.storage.passkeys.allOfUser(userId)).find((one) => one.id === id)
  return trustSigner(deps, userId, named, read)
}
