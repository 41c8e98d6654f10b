import type { Checked } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../../identity/push/notify-of-change.ts'
import { isTrusted } from '../../identity/trust/trust.ts'
import { outcomeOf, RolledBack } from '../../shared/rolled-back.ts'
import type { ApprovalDeps } from '../deps.ts'
import { rejectRequest } from '../requests/reject-request.ts'
import { rejectVouching } from '../vouching/settle-vouching.ts'
import { vouchingOf } from '../vouching/vouching-of.ts'
import type { Confirmation } from './confirmation.ts'
import { ConfirmationUsed } from './errors.ts'
import { requirePending } from './require-pending.ts'
import { sealReason } from './sealed-fields.ts'
import type { Settlement } from './store.ts'

/** The caller who rejects. Only a trusted device can say `notMe`. */
type Rejecter = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'deviceId' | 'trustLevel'>>

/**
 * Rejects one of the caller's confirmations. Any session of the user may reject. Of approvals and rejections at the same time,
 * exactly one succeeds. With `notMe`, a trusted device also ends the session that asked. Only a trusted device rejects a
 * vouching: this removes the new device or passkey, and ends its sessions and the session that registered it. A trusted device
 * that rejects the confirmation of an approval request ends the request (`rejectRequest`).
 *
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
 * @throws InsufficientTrustLevel where another session than that of a trusted device says `notMe` or rejects a vouching
 */
export const reject = async (
  deps: NotifyOfChangeDeps & Pick<ApprovalDeps, 'storage' | 'users' | 'observer'>,
  input: Checked<'confirmations.reject'> & { readonly caller: Rejecter },
): Promise<void> => {
  const { storage, clock } = deps
  const { confirmationId: id, reason, notMe, caller } = input
  const disowningDevice = notMe === true ? requireTrustedDevice(caller) : undefined
  const now = clock.now()
  const confirmation = await requirePending(deps, caller.userId, id, now)
  const rejectReason = reason === undefined || reason === '' ? null : sealReason(deps, id, reason)
  const rejection: Settlement = { id, userId: caller.userId, outcome: 'rejected', deviceId: null, rejectReason, now }
  const vouching = await vouchingOf(deps, confirmation)
  const settle = () => {
    if (vouching !== undefined) return rejectVouching(storage, rejection, vouching, requireTrustedDevice(caller))
    if (confirmation.approvalId !== null) return rejectRequest(deps, rejection, confirmation, caller)
    return disowningDevice === undefined
      ? storage.confirmations.settle(rejection)
      : rejectAndEndSession(storage, rejection, confirmation.requestedBy, disowningDevice)
  }
  const won = await settle()
  if (!won) {
    await requirePending(deps, caller.userId, id, now)
    throw new ConfirmationUsed()
  }
  deps.observer.confirmation({ actionType: confirmation.actionType, outcome: 'rejected' })
  if (vouching === undefined) return
  const change = vouching.kind === 'device' ? 'device_removed' : 'passkey_removed'
  notifyOfChange(deps, { userId: caller.userId, change })
}

const requireTrustedDevice = ({ deviceId, trustLevel }: Rejecter): string => {
  if (trustLevel !== 'high' || typeof deviceId !== 'string') throw new InsufficientTrustLevel()
  return deviceId
}

/**
 * Rejects a confirmation and ends the session that asked for it, in one transaction. Where the confirmation is not pending, the
 * session stays. The session is locked before the confirmation, as by an approval.
 */
const rejectAndEndSession = (
  storage: ApprovalDeps['storage'],
  rejection: Settlement,
  requestedBy: Confirmation['requestedBy'],
  deviceId: string,
): Promise<boolean> =>
  outcomeOf(
    storage.transaction(async (tx) => {
      const device = await tx.devices.lock(rejection.userId, deviceId)
      if (device === undefined) throw new InvalidAccessToken()
      if (!isTrusted(device, rejection.now)) throw new InsufficientTrustLevel()
      if (requestedBy !== null) await tx.sessions.end(requestedBy, 'not_me', rejection.now)
      if (!(await tx.confirmations.settle(rejection))) throw new RolledBack(false)
      return true
    }),
  )
