import { CountersignError, type PendingConfirmation } from '@countersign/client-sdk'
import { type DisplayedConfirmation, displayOf, type ShownDisplay } from '@countersign/client-sdk/display'
import { effect, signal } from '@preact/signals'
import { isLost, showFailure } from './action-outcome.ts'
import { client, phone, readClockLead, signedIn } from './phone.ts'
import { endProbation, readProbation } from './probation.ts'
import { stored } from './stored.ts'
import { lead } from './time.tsx'
import { language } from './words.ts'

export type Outcome = 'approved' | 'rejected' | 'expired' | 'withdrawn'

/** The end of a request: its outcome, and whether this phone answered it. */
export interface Settled {
  readonly outcome: Outcome
  readonly here: boolean
  /** What a report did, if the person said that they did not ask. */
  readonly report?: Report | undefined
}

/** What the service did after a report: whether a session has ended; `undefined` if its answer was lost. */
export interface Report {
  readonly sessionEnded: boolean | undefined
}

/** The requests that wait for this phone. Later ones follow at the end, so that no card moves under a finger. */
export const waiting = signal<readonly PendingConfirmation[]>()

/** Every request that this page has shown, so that a request that ends while it is open stays on the screen. */
export const known = signal<ReadonlyMap<string, PendingConfirmation>>(new Map())

export const settled = signal<ReadonlyMap<string, Settled>>(new Map())

/** While the service cannot be reached: when the page reached the service last. Kept for a reload. */
export const offlineSince = signal<number>()
let reachedAt = stored.read<number>('reached') ?? Date.now()

export const showOffline = (): void => {
  offlineSince.value = reachedAt
}

export const showOnline = (): void => {
  offlineSince.value = undefined
  reachedAt = Date.now()
  stored.write('reached', reachedAt)
}

export const isOnProbation = signal(false)
/** The request whose answer may have been lost, while the page asks for its state. */
export const asking = signal<string>()

/** Returns whether a session of this person asked. */
export const isOwnRequest = ({ statement: { requester, subject } }: PendingConfirmation): boolean =>
  requester.kind === 'user' && requester.id === subject.id

/** Returns the signed words of a request; `undefined` for a request that nobody can decide on. */
export const wordsOf = (confirmation: DisplayedConfirmation): ShownDisplay | undefined => {
  try {
    return displayOf(confirmation, language.value)
  } catch {
    return undefined
  }
}

export const settle = (request: PendingConfirmation, outcome: Outcome, here: boolean, report?: Report): void => {
  settled.value = new Map(settled.value).set(request.confirmationId, { outcome, here, report })
  waiting.value = waiting.value?.filter(({ confirmationId }) => confirmationId !== request.confirmationId)
  void clearNotification(request)
}

/** Removes the notification of a request that was answered here. The service notifies only the other phones. */
const clearNotification = async ({ confirmationId: tag }: PendingConfirmation): Promise<void> => {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications({ tag })) ?? []) notification.close()
}

export const statusOf = async ({ confirmationId }: PendingConfirmation): Promise<Outcome | 'pending'> => {
  const { status, withdrawnAt } = await client.confirmations.status({ confirmationId })
  return withdrawnAt ? 'withdrawn' : status
}

/** Milliseconds between two questions for the inbox: short at first, then longer, far below the rate limits. */
export const SHORTEST = 1500
const LONGEST = 5000
let interval = SHORTEST
/** While events arrive as they happen, the page asks only to be sure. */
export const INTERVAL_WHILE_LIVE = 30_000

/** Reads the inbox, and how the requests ended that have left the inbox. */
const read = async (): Promise<void> => {
  lead.value = await readClockLead()
  const { confirmations } = await client.confirmations.pending()
  const ids = new Set(confirmations.map(({ confirmationId }) => confirmationId))
  const ended = (waiting.peek() ?? []).filter(
    ({ confirmationId }) => !ids.has(confirmationId) && asking.peek() !== confirmationId,
  )
  for (const request of ended) {
    const outcome = await statusOf(request)
    if (outcome !== 'pending' && !settled.peek().has(request.confirmationId)) settle(request, outcome, false)
  }
  const before = new Map((waiting.peek() ?? []).map(({ confirmationId }, index) => [confirmationId, index]))
  const placeOf = ({ confirmationId }: PendingConfirmation): number => before.get(confirmationId) ?? before.size
  const open = confirmations
    .filter(({ confirmationId }) => !settled.peek().has(confirmationId))
    .sort((one, other) => placeOf(one) - placeOf(other))
  if (JSON.stringify(open) !== JSON.stringify(waiting.peek())) {
    known.value = new Map([...known.peek(), ...open.map((one) => [one.confirmationId, one] as const)])
    waiting.value = open
  }
  showOnline()
  if (isOnProbation.peek() || phone.peek()?.onProbation) endProbation()
  isOnProbation.value = false
}

let timer: ReturnType<typeof setTimeout> | undefined
let isReading = false
let isStale = false

/** Reads the inbox now, and again and again while the page is visible and the phone is signed in. */
export const readInbox = async (): Promise<void> => {
  clearTimeout(timer)
  isStale = true
  if (isReading || document.hidden || !signedIn.peek()) return
  isReading = true
  isStale = false
  interval = Math.min(interval * 1.25, LONGEST)
  let pause = client.events.isLive() ? INTERVAL_WHILE_LIVE : interval
  try {
    await read()
  } catch (error) {
    pause = LONGEST
    if (isLost(error)) showOffline()
    else {
      showOnline()
      if (error instanceof CountersignError && error.status === 403) {
        await readProbation()
        isOnProbation.value = true
      } else if (error instanceof CountersignError && error.code === 'RATE_LIMITED') pause = (error.retryAfter ?? 5) * 1000
      // The screen that follows says more than that the session has ended.
      else if (signedIn.peek() && !(error instanceof CountersignError && error.code === 'SESSION_ENDED')) showFailure(error)
    }
  }
  isReading = false
  timer = setTimeout(() => void readInbox(), isStale ? 0 : pause)
}

/** Starts to read whenever there is a reason to. Call the function once. */
export const watchInbox = (): void => {
  const hurry = (): void => {
    interval = SHORTEST
    void readInbox()
  }
  effect(() => {
    if (signedIn.value) return client.events.on(hurry)
    waiting.value = undefined
    return undefined
  })
  for (const reason of ['visibilitychange', 'online', 'pageshow']) addEventListener(reason, hurry, true)
}
