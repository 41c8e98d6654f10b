import { effect, signal } from '@preact/signals'
import { type DeviceKey, signChallenge } from '../identity/device/device-key.ts'
import type { Pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { knock } from '../shared/knock.ts'
import { isGenuine, type Pending } from './challenge.ts'
import { keepAsking } from './keep-asking.ts'
import { forgetReceipts, loadReceipt } from './receipts.ts'

export interface Waiting {
  readonly pending: Pending
  /** Whether the challenge belongs to the action shown. */
  readonly genuine: boolean
}

export interface Settled {
  readonly pending: Pending
  readonly outcome: 'approved' | 'rejected'
  /** The signature that approved the confirmation. */
  readonly signedChallenge?: string
  /** The number that the person typed. */
  readonly matchNumber?: string
}

/** The confirmations that wait for the phone, the newest first. */
export const waiting = signal<readonly Waiting[]>([])
/** The confirmations that this phone has settled, the latest first. */
export const settled = signal<readonly Settled[]>([])

/** The challenge belongs to another action than the action shown. An attacker may have changed the action. */
export class TamperedConfirmation extends Error {
  override readonly name = 'TamperedConfirmation'
  constructor() {
    super('The challenge does not belong to the action shown, so this phone refuses to sign it.')
  }
}

const isSettled = ({ confirmationId }: Pending): boolean =>
  settled.peek().some(({ pending }) => pending.confirmationId === confirmationId)

const readWaiting = async (pane: Pane): Promise<boolean> => {
  const session = pane.session.peek()
  const { confirmations } = await pane.client.confirmations.pending({}, bearer(pane))
  const judged = await Promise.all(confirmations.map(async (pending) => ({ pending, genuine: await isGenuine(pending) })))
  // Meanwhile the person may have settled a confirmation, or signed out.
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

const verify = (
  pane: Pane,
  { deviceId }: DeviceKey,
  { confirmationId }: Pending,
  signedChallenge: string,
  matchNumber?: string,
) => pane.client.confirmations.verify({ confirmationId, deviceId, signedChallenge, matchNumber }, bearer(pane))

/**
 * Signs the challenge of the action shown, and no other. @throws TamperedConfirmation
 *
 * @param matchNumber The number that the web page shows, if the confirmation needs it.
 */
export const approve = async (pane: Pane, key: DeviceKey, pending: Pending, matchNumber?: string): Promise<string> => {
  if (!(await isGenuine(pending))) throw new TamperedConfirmation()
  const signedChallenge = await signChallenge(key, pending.challenge)
  await verify(pane, key, pending, signedChallenge, matchNumber)
  settle({ pending, outcome: 'approved', signedChallenge, ...(matchNumber === undefined ? {} : { matchNumber }) })
  void loadReceipt(pane, pending.confirmationId)
  return 'Approved.'
}

export const reject = async (pane: Pane, pending: Pending, reason: string): Promise<string> => {
  await pane.client.confirmations.reject(pending, reason === '' ? undefined : reason, bearer(pane))
  settle({ pending, outcome: 'rejected' })
  return 'Rejected.'
}

/** Rejects a confirmation that the person did not ask for, and ends the session that asked. */
export const disown = async (pane: Pane, pending: Pending): Promise<string> => {
  await pane.client.confirmations.reject(pending, undefined, { ...bearer(pane), notMe: true })
  settle({ pending, outcome: 'rejected' })
  return 'Rejected, and the session that asked has ended.'
}

/** Sends the same approval a second time, to show that the service refuses it. */
export const useAgain = async (
  pane: Pane,
  key: DeviceKey,
  { pending, signedChallenge = '', matchNumber }: Settled,
): Promise<string> => {
  await verify(pane, key, pending, signedChallenge, matchNumber)
  return 'The service accepted the approval a second time, which must never happen.'
}

/** Watches the pending confirmations while the phone is signed in by its key. Call the function once. */
export const watchInbox = (pane: Pane): void => {
  effect(() => {
    if (pane.session.value?.kind === 'biometric') return keepAsking(pane, () => readWaiting(pane))
    waiting.value = []
    settled.value = []
    forgetReceipts()
    return undefined
  })
}
