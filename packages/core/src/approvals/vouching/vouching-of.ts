import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import type { Vouching } from '../records/vouching.ts'

/**
 * Returns the vouching that a confirmation decides; `undefined` for any other confirmation. A caller can also initiate a
 * confirmation of type `device_register`; such a confirmation decides no vouching.
 */
export const vouchingOf = async (
  { storage }: Pick<ApprovalDeps, 'storage'>,
  { id, userId, actionType }: Pick<Confirmation, 'id' | 'userId' | 'actionType'>,
): Promise<Vouching | undefined> => (actionType === 'device_register' ? storage.vouchings.ofConfirmation(userId, id) : undefined)
