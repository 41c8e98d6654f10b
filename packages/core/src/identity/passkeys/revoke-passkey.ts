import type { IdentityDeps } from '../deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import type { Passkey } from '../records/passkey.ts'
import { type PasskeyOfAdmin, passkeyOfAdmin } from './passkey-of-admin.ts'
import { removePasskeyFor } from './remove-passkey.ts'

/**
 * Removes a passkey of any user by its id, for admins. Has the same effect as a removal by the user.
 *
 * @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers
 */
export async function revokePasskey(
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>,
  input: PasskeyOfAdmin,
): Promise<Passkey> {
  const passkey = await passkeyOfAdmin(deps, input)
  await removePasskeyFor(deps, { userId: passkey.userId }, passkey.id)
  return passkey
}
