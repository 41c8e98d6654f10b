import { PasskeyNotFound } from '../passkeys/errors.ts'
import type { Passkey } from '../passkeys/passkey.ts'
import { type PasskeyOfAdmin, passkeyOfAdmin } from '../passkeys/passkey-of-admin.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { type WithTrust, withTrust } from './with-trust.ts'

/**
 * Makes a passkey of any user trusted, for admins, and cancels the cooling-off periods of the user. A trusted passkey stays as
 * it is. The user's devices are notified of a change.
 *
 * @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers
 */
export const trustPasskey = async (deps: NotifyOfChangeDeps, input: PasskeyOfAdmin): Promise<WithTrust<Passkey>> => {
  const { storage, clock } = deps
  const now = clock.now()
  const { id, userId } = await passkeyOfAdmin(deps, input)
  if (await storage.trust.trustPasskey(userId, id, now)) notifyOfChange(deps, { userId, change: 'trust_changed' })
  const passkey = (await storage.passkeys.allOfUser(userId)).find((one) => one.id === id)
  if (passkey === undefined) throw new PasskeyNotFound()
  return withTrust(passkey, now)
}
