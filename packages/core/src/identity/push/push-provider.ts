import type { ActionType, ProbeStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/** What a device is told: that something waits, and of what type. Never the payload: push services can read it. */
export interface PushMessage {
  /** Where to: what the device's app registered with its push service. Secret; never logged. */
  readonly pushToken: string
  readonly deviceId: string
  readonly confirmationId: string
  readonly actionType: ActionType
  /** After this there is nothing left to tell. */
  readonly expiresAt: Instant
}

/** Carries messages to devices. The host's choice: FCM, APNs, Web Push, a webhook. */
export interface PushProvider {
  /** Delivers one message, or rejects once it has given up. Bounds its own time. */
  send(message: PushMessage): Promise<void>
  /** How deliveries have been going. Answers within two seconds. */
  health(): Promise<ProbeStatus>
}

/** Tells nobody: devices find out by asking for what is pending. */
export const noPush: PushProvider = {
  send: async () => {},
  health: async () => 'not_configured',
}
