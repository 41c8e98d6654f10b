import type { IdentityStorage, TimedStorage } from '../base-deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import type { Passkey } from '../records/passkey.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { listSigners, removeSigner, trustSigner } from '../signers/manage-signers.ts'
import type { WithTrust } from '../trust/with-trust.ts'
import { requireUser } from '../user-model/require-user.ts'
import { PasskeyNotFound, PasskeyOfSeveralUsers } from './errors.ts'

/**
 * The passkeys of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const passkeys = await countersign.passkeys.listOfUser({ email: 'ada@example.com' })
 */
export async function listPasskeysOfUser(
  deps: TimedStorage,
  { email }: { readonly email: string },
): Promise<readonly WithTrust<Passkey>[]> {
  const { id: userId } = await requireUser(deps, email)
  return listSigners(deps, { userId }, () => deps.storage.passkeys.allOfUser(userId))
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
