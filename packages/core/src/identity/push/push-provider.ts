import type { ProbeStatus } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/** The members that every push message has. */
interface MessageToDevice {
  /** The address of the device at its push service. Secret; never logged. */
  readonly pushToken: string
  /** The id of the device; for a passkey, the id of its push token. */
  readonly deviceId: string
  /** The language (BCP 47) that the app asked for with its push token; absent if the app named none. */
  readonly language?: string
  /** The time after which a delivery is useless. */
  readonly expiresAt: Instant
}

/**
 * A message to a device that a confirmation is pending, with its type. The payload is never sent, because push services can read
 * messages. The message expires with the confirmation. A user gets at most one such message in a few seconds.
 */
export interface ConfirmationRequested extends MessageToDevice {
  readonly type: 'confirmation.requested'
  readonly confirmationId: string
  readonly actionType: string
  /** The number of new confirmations that this message announces. If there are several, the members above are of the newest. */
  readonly count: number
}

/**
 * A message to a device that a confirmation waits no longer: it was approved, rejected or withdrawn. The message replaces the
 * notification of the confirmation, and does not name the outcome.
 */
export interface ConfirmationSettled extends MessageToDevice {
  readonly type: 'confirmation.settled'
  readonly confirmationId: string
}

/** The changes of an account that the user's devices are notified of. */
export const accountChanges = [
  'device_registered',
  'device_removed',
  'push_token_changed',
  'passkey_registered',
  'passkey_removed',
  'password_changed',
  'trust_changed',
  /** The host opened a session, from an address from which the user has not logged in lately. */
  'session_opened',
] as const

export type AccountChange = (typeof accountChanges)[number]

/** A message that the user's account has changed. It names no device, passkey or address: the app asks for the current lists. */
export interface AccountChanged extends MessageToDevice {
  readonly type: 'account.changed'
  /** The id of this message: `notice_` and a UUID. */
  readonly noticeId: string
  readonly change: AccountChange
  readonly occurredAt: Instant
}

/** A message that an operator sends to see that messages arrive. */
export interface PushTest extends MessageToDevice {
  readonly type: 'push.test'
  /** The id of this message: `notice_` and a UUID. */
  readonly noticeId: string
}

/** The content of a push message. */
export type PushMessage = ConfirmationRequested | ConfirmationSettled | AccountChanged | PushTest

/** The types of push messages. */
export const pushMessageTypes = [
  'confirmation.requested',
  'confirmation.settled',
  'account.changed',
  'push.test',
] as const satisfies readonly PushMessage['type'][]

/** The push service no longer knows the push token. A provider rejects with it, so that the token is removed, and stays healthy. */
export class PushTokenGone extends Error {
  override readonly name = 'PushTokenGone'
  /** Since when the push service has not known the token, if the service says it. A token that was set later stays. */
  readonly since: Instant | undefined
  constructor(since?: Instant) {
    super('The push service does not know the push token')
    this.since = since
  }
}

/** Delivers push messages to devices. The host chooses the service: FCM, APNs, Web Push or a webhook. */
export interface PushProvider {
  /** Delivers one message; rejects if the delivery fails. Has a timeout of its own. @throws PushTokenGone */
  send(message: PushMessage): Promise<void>
  /** Returns why a device cannot have this push token, as the end of a sentence. Without this method, every token is stored. */
  faultOf?(pushToken: string): Promise<string | undefined>
  /** Returns the name of the service that a push token belongs to, if several services deliver. */
  providerOf?(pushToken: string): string | undefined
  /** Returns the health of recent deliveries, within two seconds. */
  health(): Promise<ProbeStatus>
}

/** A provider that sends nothing. Devices poll for pending confirmations. */
export const noPush: PushProvider = {
  send: async () => {},
  health: async () => 'not_configured',
}
