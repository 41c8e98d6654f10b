import { type PushDeps, sendToDevices } from '../../identity/push/send-to-devices.ts'
import type { Confirmation } from './confirmation.ts'

/**
 * Sends a push message about a pending confirmation to every trusted device of the user that has a push token. Never rejects:
 * failures are logged. A device that gets no message can still list the pending confirmations.
 */
export const notifyDevices = (
  deps: PushDeps,
  { id: confirmationId, userId, actionType, expiresAt }: Confirmation,
): Promise<void> => {
  const message = () => ({ type: 'confirmation.requested' as const, confirmationId, actionType, expiresAt })
  return sendToDevices(deps, { userId, message, logFields: { confirmationId } })
}
