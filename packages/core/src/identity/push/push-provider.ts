import type { ActionType, ProbeStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/**
 * The content of a push message: that a confirmation is pending, and its type. The payload is never sent, because push services
 * can read messages.
 */
export interface PushMessage {
  /** The address of the device at its push service. Secret; never logged. */
  readonly pushToken: string
  readonly deviceId: string
  readonly confirmationId: string
  readonly actionType: ActionType
  /** The expiry of the confirmation. A later delivery is useless. */
  readonly expiresAt: Instant
}

/** Delivers push messages to devices. The host chooses the service: FCM, APNs, Web Push or a webhook. */
export interface PushProvider {
  /** Delivers one message; rejects if the delivery fails. Has a timeout of its own. */
  send(message: PushMessage): Promise<void>
  /** Returns the health of recent deliveries, within two seconds. */
  health(): Promise<ProbeStatus>
}

/** A provider that sends nothing. Devices poll for pending confirmations. */
export const noPush: PushProvider = {
  send: async () => {},
  health: async () => 'not_configured',
}
