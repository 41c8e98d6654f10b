import { noPush } from '../../identity/push/push-provider.ts'
import { boundsToNotify, sendToDevices } from '../../identity/push/send-to-devices.ts'
import { type Bound, isSameBound } from '../../identity/records/bound.ts'
import type { Device } from '../../identity/records/device.ts'
import type { SettledConfirmation } from '../../identity/user-model/account-endings.ts'
import { type Instant, seconds } from '../../shared/clock.ts'
import type { ConfirmationDeps } from '../deps.ts'
import { type Confirmation, reachesConfirmation } from '../records/confirmation.ts'
import type { Announcement } from '../records/push-window.ts'

/** A message says only that something waits. A second message within this time would say nothing new, and only ring again. */
const WINDOW = seconds(10)

/**
 * Reports a new confirmation to the observer, and sends a push message to the user's trusted devices. A message begins a window
 * (`WINDOW`), and one at its end announces the confirmations that came meanwhile. The windows are in the database, so all servers
 * share them; devices with another bound have their own. Never rejects: a device can still list the pending confirmations.
 */
export const notifyDevices = async (deps: ConfirmationDeps, confirmation: Confirmation): Promise<void> => {
  const { userId, actionType } = confirmation
  deps.observer.confirmation({ actionType, outcome: 'initiated' })
  await logged(deps, async () => {
    for (const tenants of await boundsToNotify(deps, userId)) {
      if (reachesConfirmation(tenants, confirmation)) await announceTo(deps, { userId, tenants }, confirmation)
    }
  })
}

/** The devices of a user with one bound, which share a window. */
type Audience = Pick<Device, 'userId' | 'tenants'>

const announceTo = async (
  deps: ConfirmationDeps,
  audience: Audience,
  { id: confirmationId, actionType, expiresAt }: Confirmation,
): Promise<void> => {
  const { storage, clock, background } = deps
  const { userId, tenants } = audience
  const now = clock.now()
  const entered = await storage.pushWindows.enter(userId, { confirmationId, actionType, expiresAt }, now, now + WINDOW, tenants)
  if ('count' in entered) return tell(deps, audience, entered)
  // The message at the end of the window announces all confirmations that wait by then, so only the first of them schedules it.
  if (entered.waiting === 1) background.run(() => endWindow(deps, audience, entered.windowEndsAt), entered.windowEndsAt - now)
}

/** Sends a message about the confirmations that waited for the end of the window. */
const endWindow = (deps: ConfirmationDeps, audience: Audience, windowEndsAt: Instant): Promise<void> =>
  logged(deps, async () => {
    const now = deps.clock.now()
    const { userId, tenants } = audience
    const next = await deps.storage.pushWindows.end(userId, windowEndsAt, now, now + WINDOW, tenants)
    if (next === undefined) return
    const waits = await deps.storage.confirmations.byId(next.confirmationId)
    // A confirmation that was settled within the window needs no message, unless others waited with it.
    if (next.count > 1 || waits?.status === 'pending') await tell(deps, audience, next)
  })

export type SettledDeps = Pick<ConfirmationDeps, 'storage' | 'clock' | 'push' | 'encryptionKeys' | 'logger' | 'background'>

/**
 * Replaces the notifications of confirmations that wait no longer, after the response. A user who got no message gets none now.
 * @param settledBy The device that settled the confirmations. Its app knows, so it gets no message.
 */
export const notifyOfSettled = (deps: SettledDeps, settled: readonly SettledConfirmation[], settledBy?: string | null): void => {
  if (deps.push === noPush) return
  for (const confirmation of settled) {
    const { id: confirmationId, userId, createdAt, expiresAt } = confirmation
    const message = () => ({ type: 'confirmation.settled' as const, confirmationId, expiresAt })
    deps.background.run(() =>
      logged(deps, async () => {
        for (const tenants of await boundsToNotify(deps, userId)) {
          if (!reachesConfirmation(tenants, confirmation)) continue
          if (!(await deps.storage.pushWindows.wasTold(userId, createdAt, tenants))) continue
          const isFor = (other: Bound): boolean => isSameBound(tenants, other)
          await sendToDevices(deps, { userId, isFor, message, logFields: { confirmationId }, except: settledBy ?? undefined })
        }
      }),
    )
  }
}

/** Sends the message. If no device got it, its window ends, and the confirmations that wait by then get a message at once. */
const tell = async (
  deps: ConfirmationDeps,
  { userId, tenants }: Audience,
  { windowEndsAt, ...announced }: Announcement,
): Promise<void> => {
  const message = () => ({ type: 'confirmation.requested' as const, ...announced })
  const logFields = { confirmationId: announced.confirmationId }
  const isFor = (other: Bound): boolean => isSameBound(tenants, other)
  const delivered = await sendToDevices(deps, { userId, isFor, message, logFields })
  if (delivered === 0) await endWindow(deps, { userId, tenants }, windowEndsAt)
}

/**
 * Replaces the notifications of approvers whose confirmations ended at `now`, because the request was rejected or used.
 * @param announced The confirmation whose end was already announced.
 */
export const notifyOfEndedRequest = (deps: SettledDeps, requestId: string, now: Instant, announced?: string): void => {
  if (deps.push === noPush) return
  deps.background.run(() =>
    logged(deps, async () => {
      const votes = await deps.storage.approvalRequests.confirmationsOf(requestId)
      const ended = votes.filter((vote) => vote.id !== announced && vote.status === 'rejected' && vote.updatedAt === now)
      notifyOfSettled(deps, ended)
    }),
  )
}

const logged = async ({ logger }: Pick<ConfirmationDeps, 'logger'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    logger.warn('push_failed', { reason: error instanceof Error ? error.name : 'unknown' })
  }
}
