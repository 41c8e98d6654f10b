import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import { requireUser } from '../users/require-user.ts'
import { PasskeyNotFound, PasskeyOfSeveralUsers } from './errors.ts'
import type { Passkey } from './passkey.ts'
import { removePasskey } from './remove-passkey.ts'

/**
 * Removes a passkey of any user by its id, for admins. Has the same effect as a removal by the user. The email selects the user
 * where several users have a passkey of this id.
 *
 * @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers
 */
export const revokePasskey = async (
  deps: NotifyOfChangeDeps,
  input: { readonly id: string; readonly email?: string | undefined },
): Promise<Passkey> => {
  const passkeys = await deps.storage.passkeys.withId(input.id)
  const owner = input.email === undefined ? undefined : await requireUser(deps, input.email)
  const [passkey, ...others] = input.email === undefined ? passkeys : passkeys.filter(({ userId }) => userId === owner?.id)
  if (passkey === undefined) throw new PasskeyNotFound()
  if (others.length > 0) throw new PasskeyOfSeveralUsers()
  await removePasskey(deps, { credentialId: passkey.id, caller: { userId: passkey.userId } })
  return passkey
}
