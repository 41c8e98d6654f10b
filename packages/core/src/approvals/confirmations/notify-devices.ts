import { type PushDeps, sendToDevices } from '../../identity/push/send-to-devices.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from './confirmation.ts'

/**
 * Tells the observer of a new confirmation, and sends a push message to every trusted device of the user that has a push token.
 * Never rejects: failures are logged. A device that gets no message can still list the pending confirmations.
 */
export const notifyDevices = async (
  deps: PushDeps & Pick<ApprovalDeps, 'observer'>,
  { id: confirmationId, userId, actionType, expiresAt }: Confirmation,
): Promise<void> => {
  deps.observer.confirmation({ actionType, outcome: 'initiated' })
  const message = () => ({ type: 'confirmation.requested' as const, confirmationId, actionType, expiresAt })
  await sendToDevices(deps, { userId, message, logFields: { confirmationId } })
}
