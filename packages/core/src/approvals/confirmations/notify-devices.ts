import type { SettledConfirmation } from '../../identity/accounts/account-endings.ts'
import { noPush } from '../../identity/push/push-provider.ts'
import { canBeNotified, type PushDeps, sendToDevices } from '../../identity/push/send-to-devices.ts'
import { type Instant, seconds } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import type { Announcement } from '../records/push-window.ts'

type NotifyDeps = Omit<PushDeps, 'storage'> & Pick<ApprovalDeps, 'storage' | 'background' | 'observer'>

/** A message says only that something waits. A second message within this time would say nothing new, and only ring again. */
const WINDOW = seconds(10)

/**
 * Tells the observer of a new confirmation, and sends a push message to every trusted device of the user that has a push token. A
 * message that was sent begins a window of ten seconds: the confirmations of this window get one message at its end. The windows
 * are in the database, so all servers share them. Never rejects: failures are logged. A device that gets no message can still list
 * the pending confirmations.
 */
export const notifyDevices = async (
  deps: NotifyDeps,
  { id: confirmationId, userId, actionType, expiresAt }: Confirmation,
): Promise<void> => {
  const { storage, clock, background, observer } = deps
  observer.confirmation({ actionType, outcome: 'initiated' })
  await logged(deps, async () => {
    if (!(await canBeNotified(deps, userId))) return
    const now = clock.now()
    const entered = await storage.pushWindows.enter(userId, { confirmationId, actionType, expiresAt }, now, now + WINDOW)
    if ('count' in entered) return tell(deps, userId, entered)
    // The message at the end of the window announces all confirmations that wait by then, so only the first of them schedules it.
    if (entered.waiting === 1) background.run(() => endWindow(deps, userId, entered.windowEndsAt), entered.windowEndsAt - now)
  })
}

/** Tells of the confirmations that waited for the end of the window. */
const endWindow = (deps: NotifyDeps, userId: number, windowEndsAt: Instant): Promise<void> =>
  logged(deps, async () => {
    const now = deps.clock.now()
    const next = await deps.storage.pushWindows.end(userId, windowEndsAt, now, now + WINDOW)
    if (next === undefined) return
    const waits = await deps.storage.confirmations.byId(next.confirmationId)
    // A confirmation that was settled within the window needs no message, unless others waited with it.
    if (next.count > 1 || waits?.status === 'pending') await tell(deps, userId, next)
  })

/** The ports of `notifyOfSettled`. */
export type SettledDeps = Pick<NotifyDeps, 'storage' | 'clock' | 'push' | 'encryptionKeys' | 'logger' | 'background'>

/**
 * Replaces the notifications of confirmations that wait no longer, after the response of the request. A user who got no message
 * since the confirmation was created gets none now.
 *
 * @param settledBy The device that settled the confirmations. Its app knows, so it gets no message.
 */
export const notifyOfSettled = (deps: SettledDeps, settled: readonly SettledConfirmation[], settledBy?: string | null): void => {
  if (deps.push === noPush) return
  for (const { id: confirmationId, userId, createdAt, expiresAt } of settled) {
    const message = () => ({ type: 'confirmation.settled' as const, confirmationId, expiresAt })
    deps.background.run(() =>
      logged(deps, async () => {
        if (!(await deps.storage.pushWindows.wasTold(userId, createdAt))) return
        await sendToDevices(deps, { userId, message, logFields: { confirmationId }, except: settledBy ?? undefined })
      }),
    )
  }
}

/** Sends the message. If no device got it, its window ends, and the confirmations that wait by then get a message at once. */
const tell = async (deps: NotifyDeps, userId: number, { windowEndsAt, ...announced }: Announcement): Promise<void> => {
  const message = () => ({ type: 'confirmation.requested' as const, ...announced })
  const logFields = { confirmationId: announced.confirmationId }
  if ((await sendToDevices(deps, { userId, message, logFields })) === 0) await endWindow(deps, userId, windowEndsAt)
}

/**
 * Replaces the notifications of the approvers whose confirmations ended at `now`, when another approver rejected the request or the
 * request was redeemed.
 *
 * @param ended The confirmation whose end was already announced, if any, and the request.
 */
export const notifyOfRejectedRequest = (
  deps: SettledDeps,
  { id, approvalId }: { readonly id: string | null; readonly approvalId: string | null },
  now: Instant,
): void => {
  if (deps.push === noPush || approvalId === null) return
  deps.background.run(() =>
    logged(deps, async () => {
      const votes = await deps.storage.approvalRequests.confirmationsOf(approvalId)
      const ended = votes.filter((vote) => vote.id !== id && vote.status === 'rejected' && vote.updatedAt === now)
      notifyOfSettled(deps, ended)
    }),
  )
}

const logged = async ({ logger }: Pick<NotifyDeps, 'logger'>, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    logger.warn('push_failed', { reason: error instanceof Error ? error.name : 'unknown' })
  }
}
