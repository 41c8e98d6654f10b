import { createHash } from 'node:crypto'
import type { PushMessage } from '@countersign/core'
import { subjectIdOf } from './deliver.ts'

/** What a phone shows and an app gets of a message. Push services can read it, so it has kind and id only, and fixed words. */
export interface PushNotification {
  readonly title: string
  readonly body: string
  /** What the app gets besides the words. */
  readonly data: Readonly<Record<string, string>>
}

/** Returns the seconds for which a push service keeps a message. */
export const timeToLive = ({ expiresAt }: PushMessage, now: number): number => Math.max(0, Math.floor((expiresAt - now) / 1000))

/** Returns the notification of a message. */
export const notificationOf = (message: PushMessage): PushNotification =>
  message.type === 'confirmation.requested'
    ? {
        title: 'A request waits',
        body: 'Open the app to approve or reject it.',
        data: { type: message.type, confirmationId: message.confirmationId },
      }
    : {
        title: 'Your account has changed',
        body: 'Open the app to see what has changed.',
        data: { type: message.type, noticeId: message.noticeId, change: message.change },
      }

/** Returns the key under which a later message replaces an earlier one about the same subject: 32 characters of base64url. */
export const collapseKeyOf = (message: PushMessage): string =>
  createHash('sha256').update(subjectIdOf(message)).digest('base64url').slice(0, 32)
