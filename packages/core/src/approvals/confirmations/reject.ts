import type { Checked } from '@countersign/contract'
import type { Caller } from '../../identity/authentication/caller.ts'
import type { ApprovalDeps } from '../deps.ts'
import { ConfirmationUsed } from './errors.ts'
import { requirePending } from './require-pending.ts'
import { sealReason } from './sealed-fields.ts'

/**
 * Rejects one of the caller's confirmations. Any session of the user may reject. Of approvals and rejections at the same time,
 * exactly one succeeds.
 *
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed
 */
export const reject = async (
  deps: Pick<ApprovalDeps, 'storage' | 'clock' | 'random' | 'encryptionKeys'>,
  input: Checked<'confirmations.reject'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<void> => {
  const { storage, clock } = deps
  const { confirmationId: id, reason, caller } = input
  const now = clock.now()
  await requirePending(deps, caller.userId, id, now)
  const rejectReason = reason === undefined || reason === '' ? null : sealReason(deps, id, reason)
  const won = await storage.confirmations.settle({
    id,
    userId: caller.userId,
    outcome: 'rejected',
    deviceId: null,
    rejectReason,
    now,
  })
  if (!won) {
    await requirePending(deps, caller.userId, id, now)
    throw new ConfirmationUsed()
  }
}
