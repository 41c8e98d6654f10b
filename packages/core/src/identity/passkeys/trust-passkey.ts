import { NothingToChange } from '../../shared/errors.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { Passkey } from '../records/passkey.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { PasskeyNotFound } from './errors.ts'
import { type PasskeyOfAdmin, passkeyOfAdmin } from './passkey-of-admin.ts'

/**
 * Makes a passkey of any user trusted, for admins, and cancels the cooling-off periods of the user. A bound passkey is bound no
 * longer. The user's devices are notified of the change.
 * @throws UserNotFound, PasskeyNotFound, PasskeyOfSeveralUsers, NothingToChange if the passkey is trusted and not bound already
 * @example await countersign.passkeys.trust({ id: passkey.id, email: 'ada@example.com' })
 */
export async function trustPasskey(deps: NotifyOfChangeDeps, input: PasskeyOfAdmin): Promise<WithTrust<Passkey>> {
  const { storage, clock } = deps
  const now = clock.now()
  const { id, userId } = await passkeyOfAdmin(deps, input)
  const isChanged = await storage.trust.makeTrusted({ userId, kind: 'passkey', id }, now, 'ends')
  const passkey = (await storage.passkeys.allOfUser(userId)).find((one) => one.id === id)
  if (passkey === undefined) throw new PasskeyNotFound()
  if (!isChanged) throw new NothingToChange('The passkey is trusted already')
  notifyOfChange(deps, { userId, change: 'trust_changed' })
  return withTrust(passkey, now)
}
