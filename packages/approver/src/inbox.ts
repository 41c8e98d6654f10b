import { CountersignError, type PendingConfirmation } from '@countersign/client-sdk'
import { type DisplayedConfirmation, displayOf, type ShownDisplay } from '@countersign/client-sdk/display'
import { type SignedByPasskey, signWithPasskey } from '@countersign/client-sdk/passkey-approvals'
import { effect, signal } from '@preact/signals'
import { isLost, Told, tellFailure } from './actions.ts'
import { remember } from './history.ts'
import { client, hasKey, signedIn, signer } from './phone.ts'
import { language, t } from './words.ts'

export type Outcome = 'approved' | 'rejected' | 'expired' | 'withdrawn'

/** How a request ended, and whether by an answer of this phone. */
export interface Settled {
  readonly outcome: Outcome
  readonly here: boolean
}

/** The requests that wait for this phone, the newest first; `undefined` until they are read. */
export const waiting = signal<readonly PendingConfirmation[]>()

/** Every request that this page has shown, so that a request that ends while it is open stays on the screen. */
export const known = signal<ReadonlyMap<string, PendingConfirmation>>(new Map())

export const settled = signal<ReadonlyMap<string, Settled>>(new Map())

export const isOffline = signal(false)
export const isOnProbation = signal(false)
/** The request whose answer may have been lost, while the page asks for its state. */
export const asking = signal<string>()

/** Returns the signed words of a request; `undefined` for a request that nobody can decide on. */
export const wordsOf = (confirmation: DisplayedConfirmation): ShownDisplay | undefined => {
  try {
    return displayOf(confirmation, language.value)
  } catch {
    return undefined
  }
}

const settle = (request: PendingConfirmation, outcome: Outcome, here: boolean): void => {
  settled.value = new Map(settled.value).set(request.confirmationId, { outcome, here })
  signed.delete(request.confirmationId)
  waiting.value = waiting.value?.filter(({ confirmationId }) => confirmationId !== request.confirmationId)
  if (here) remember(request.confirmationId, wordsOf(request), outcome)
  void clearNotification(request)
}

/** Removes the notification of a request that was answered. The service tells only the other phones. */
const clearNotification = async ({ confirmationId: tag }: PendingConfirmation): Promise<void> => {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notification of (await registration?.getNotifications({ tag })) ?? []) notification.close()
}

const statusOf = async ({ confirmationId }: PendingConfirmation): Promise<Outcome | 'pending'> => {
  const { status, withdrawnAt } = await client.confirmations.status({ confirmationId })
  return withdrawnAt ? 'withdrawn' : status
}

/** Milliseconds between two questions for the inbox: short at first, then longer, far below the rate limits. */
const SHORTEST = 1500
const LONGEST = 5000
let interval = SHORTEST
/** While events arrive as they happen, the page asks only to be sure. */
const INTERVAL_WHILE_LIVE = 30_000

/** Reads the inbox, and how the requests ended that have left the inbox. */
const read = async (): Promise<void> => {
  const { confirmations } = await client.confirmations.pending()
  const ids = new Set(confirmations.map(({ confirmationId }) => confirmationId))
  const ended = (waiting.peek() ?? []).filter(
    ({ confirmationId }) => !ids.has(confirmationId) && asking.peek() !== confirmationId,
  )
  for (const request of ended) {
    const outcome = await statusOf(request)
    if (outcome !== 'pending' && !settled.peek().has(request.confirmationId)) settle(request, outcome, false)
  }
  const open = confirmations.filter(({ confirmationId }) => !settled.peek().has(confirmationId))
  if (JSON.stringify(open) !== JSON.stringify(waiting.peek())) {
    known.value = new Map([...known.peek(), ...open.map((one) => [one.confirmationId, one] as const)])
    waiting.value = open
  }
  isOffline.value = false
  isOnProbation.value = false
}

let timer: ReturnType<typeof setTimeout> | undefined
let isReading = false
let isStale = false

/** Reads the inbox now, and again and again while the page is visible and the phone is signed in. */
const readInbox = async (): Promise<void> => {
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
    if (isLost(error)) isOffline.value = true
    else if (error instanceof CountersignError && error.status === 403) isOnProbation.value = true
    else if (error instanceof CountersignError && error.code === 'RATE_LIMITED') pause = (error.retryAfter ?? 5) * 1000
    else tellFailure(error)
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

/** Asks until the service tells the state of a request whose answer may have been lost. */
const askAgain = async (request: PendingConfirmation): Promise<Outcome | 'pending'> => {
  asking.value = request.confirmationId
  try {
    for (;;) {
      try {
        return await statusOf(request)
      } catch (error) {
        if (!isLost(error)) throw error
        isOffline.value = true
        await new Promise((resolve) => setTimeout(resolve, SHORTEST))
      }
    }
  } finally {
    asking.value = undefined
    isOffline.value = false
  }
}

/** Sends an answer. If no response arrives, the page asks for the state, and says so if the answer did not arrive. */
const send = async (request: PendingConfirmation, outcome: Outcome, answer: () => Promise<unknown>): Promise<void> => {
  try {
    await answer()
    settle(request, outcome, true)
  } catch (error) {
    const isOver = error instanceof CountersignError && [404, 409, 410].includes(error.status ?? 0)
    if (!isOver && !isLost(error)) {
      void readInbox()
      throw error
    }
    const state = await askAgain(request)
    if (state === 'pending') throw isOver ? error : new Told(t('notArrived'))
    settle(request, state, !isOver && state === outcome)
  }
}

/** The signatures of a passkey by the id of the request, until the service has answered. */
const signed = new Map<string, SignedByPasskey>()

/** Sends what the passkey signed. If the answer was lost, the person is not asked for another signature. */
const approveByPasskey = async (request: PendingConfirmation, number: { readonly matchNumber?: string }): Promise<void> => {
  const { confirmationId } = request
  const form = signed.get(confirmationId) ?? (await signWithPasskey(client, request))
  signed.set(confirmationId, form)
  await client.confirmations.verify({ ...form, ...number }).catch((error: unknown) => {
    const isGood = isLost(error) || (error instanceof CountersignError && error.serviceCode === 'wrong_match_number')
    if (!isGood) signed.delete(confirmationId)
    throw error
  })
}

export const approve = (request: PendingConfirmation, matchNumber: string | undefined): Promise<void> =>
  send(request, 'approved', async () => {
    const options = matchNumber === undefined ? {} : { matchNumber }
    await (hasKey() ? client.confirmations.approve(request, await signer(), options) : approveByPasskey(request, options))
  })

export const reject = (request: PendingConfirmation, reason: string): Promise<void> =>
  send(request, 'rejected', () => client.confirmations.reject(request, reason === '' ? undefined : reason))

/** Rejects a request that the person did not ask for, and ends the session that asked. */
export const disown = async (request: PendingConfirmation): Promise<string> => {
  await send(request, 'rejected', () => client.confirmations.reject(request, undefined, { notMe: true }))
  return t('notMeDone')
}

/** Takes back a request that a session of this person asked for. */
export const withdraw = (request: PendingConfirmation): Promise<void> =>
  send(request, 'withdrawn', () => client.confirmations.withdraw({ confirmationId: request.confirmationId }))
