import { effect, signal } from '@preact/signals'
import { type DeviceKey, signChallenge } from '../identity/device/device-key.ts'
import type { Pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { knock } from '../shared/knock.ts'
import { isGenuine, type Pending } from './challenge.ts'
import { keepAsking } from './keep-asking.ts'

export interface Waiting {
  readonly pending: Pending
  /** Whether its challenge is that of what it shows. */
  readonly genuine: boolean
}

export interface Settled {
  readonly pending: Pending
  readonly outcome: 'approved' | 'rejected'
  /** What was sent to approve it. */
  readonly signedChallenge?: string
}

/** What waits for the phone, the newest first. */
export const waiting = signal<readonly Waiting[]>([])
/** What this phone has settled, the last first. */
export const settled = signal<readonly Settled[]>([])

/** The challenge does not belong to what is shown: somebody shows one thing and asks for the signature of another. */
export class TamperedConfirmation extends Error {
  override readonly name = 'TamperedConfirmation'
  constructor() {
    super('The challenge does not belong to what is shown, so this phone refuses to sign it.')
  }
}

const isSettled = ({ confirmationId }: Pending): boolean =>
  settled.peek().some(({ pending }) => pending.confirmationId === confirmationId)

const readWaiting = async (pane: Pane): Promise<boolean> => {
  const session = pane.session.peek()
  const { confirmations } = await pane.client.confirmations.pending({}, bearer(pane))
  const judged = await Promise.all(confirmations.map(async (pending) => ({ pending, genuine: await isGenuine(pending) })))
  // Meanwhile the person may have answered, or signed out.
  if (pane.session.peek() !== session) return false
  waiting.value = judged.filter(({ pending }) => !isSettled(pending))
  return true
}

const settle = (entry: Settled): void => {
  const { confirmationId } = entry.pending
  waiting.value = waiting.value.filter(({ pending }) => pending.confirmationId !== confirmationId)
  settled.value = [entry, ...settled.value]
  knock()
}

const verify = (pane: Pane, { deviceId }: DeviceKey, { confirmationId }: Pending, signedChallenge: string) =>
  pane.client.confirmations.verify({ confirmationId, deviceId, signedChallenge }, bearer(pane))

/** Signs what is shown, and only that. @throws TamperedConfirmation */
export const approve = async (pane: Pane, key: DeviceKey, pending: Pending): Promise<string> => {
  if (!(await isGenuine(pending))) throw new TamperedConfirmation()
  const signedChallenge = await signChallenge(key, pending.challenge)
  await verify(pane, key, pending, signedChallenge)
  settle({ pending, outcome: 'approved', signedChallenge })
  return 'Approved.'
}

export const reject = async (pane: Pane, pending: Pending, reason: string): Promise<string> => {
  await pane.client.confirmations.reject(pending, reason === '' ? undefined : reason, bearer(pane))
  settle({ pending, outcome: 'rejected' })
  return 'Rejected.'
}

/** Sends the same approval a second time, to show that it is refused. */
export const useAgain = async (pane: Pane, key: DeviceKey, pending: Pending, signedChallenge: string): Promise<string> => {
  await verify(pane, key, pending, signedChallenge)
  return 'It was accepted a second time, which must never happen.'
}

/** Watches what waits for as long as the phone is signed in by its key. Call it once. */
export const watchInbox = (pane: Pane): void => {
  effect(() => {
    if (pane.session.value?.kind === 'biometric') return keepAsking(pane, () => readWaiting(pane))
    waiting.value = []
    settled.value = []
    return undefined
  })
}
