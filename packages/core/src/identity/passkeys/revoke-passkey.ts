import type { Passkey } from '../records/passkey.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { type PasskeyOfAdmin, passkeyOfAdmin } from './passkey-of-admin.ts'
import { removePasskeyFor } from './remove-passkey.ts'

/**
 * Removes a passkey of any user by its id, for admins. Has the same effect as a removal by the user.
 * @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers
 * @example await countersign.passkeys.revoke({ id: passkey.id, email: 'ada@example.com' })
 */
export async function revokePasskey(deps: EndingDeps, input: PasskeyOfAdmin): Promise<Passkey> {
  const passkey = await passkeyOfAdmin(deps, input)
  await removePasskeyFor(deps, { userId: passkey.userId }, passkey.id)
  return passkey
}
