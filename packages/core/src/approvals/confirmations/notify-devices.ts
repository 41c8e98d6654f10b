import { openPushToken } from '../../identity/devices/push-token.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from './confirmation.ts'

/**
 * Sends a push message about a pending confirmation to every active device of the user that has a push token. Never rejects:
 * failures are logged. A device that gets no message can still list the pending confirmations.
 */
export const notifyDevices = async (
  deps: Pick<ApprovalDeps, 'storage' | 'encryptionKeys' | 'push' | 'logger'>,
  { id: confirmationId, userId, actionType, expiresAt }: Confirmation,
): Promise<void> => {
  const { storage, push, logger } = deps
  const failed = (deviceId: string | undefined) => (error: unknown) => {
    const reason = error instanceof Error ? error.name : 'unknown'
    logger.warn('push_failed', { confirmationId, deviceId, reason })
  }
  const devices = await storage.devices.allOfUser(userId).catch((error: unknown) => {
    failed(undefined)(error)
    return []
  })
  await Promise.all(
    devices.map(async ({ id: deviceId, pushToken: sealed }) => {
      if (sealed === null) return
      try {
        await push.send({ pushToken: openPushToken(deps, deviceId, sealed), deviceId, confirmationId, actionType, expiresAt })
      } catch (error) {
        failed(deviceId)(error)
      }
    }),
  )
}
