import { CountersignError } from '@countersign/client-sdk'
import { effect, signal } from '@preact/signals'
import { isLost } from './action-outcome.ts'
import { client, hasKey, phone, signedIn, signer } from './phone.ts'
import { createService } from './settings.ts'
import { stored } from './stored.ts'

export interface Stopped {
  /** `refused`: the phone was removed before it was ever trusted. */
  readonly reason: 'locked' | 'disabled' | 'removed' | 'refused'
  /** Since when the account is locked or disabled. */
  readonly since?: string | undefined
}

/** Why this phone no longer works; `undefined` for a phone that works, as far as the page knows. Kept for a reload. */
export const stopped = signal(stored.read<Stopped>('stopped'))

/** True while the page finds out why its session ended. Nothing is said of the phone until then. */
export const isFindingOut = signal(false)

const show = (next: Stopped | undefined): void => {
  stopped.value = next
  stored.write('stopped', next)
}

/** Returns why the service refused the key of this phone; `undefined` for a failure that says nothing about the phone. */
const reasonOf = (error: unknown): Stopped | undefined => {
  if (!(error instanceof CountersignError) || isLost(error)) return undefined
  const { since, reason } = error.details
  if (error.serviceCode === 'account_locked') return { reason: reason === 'disabled' ? reason : 'locked', since }
  // A passkey that signs wrongly may be the passkey of another person.
  if (error.status !== 401 || !hasKey()) return undefined
  return { reason: phone.peek()?.onProbation ? 'refused' : 'removed' }
}

/** Shows why this phone no longer works, if the failure says so. Returns whether it does. */
export const showStopped = (error: unknown): boolean => {
  const reason = reasonOf(error)
  if (reason !== undefined) show(reason)
  return reason !== undefined
}

/** Shows that the person has locked the account, which ended the session of this phone too. */
export const showLocked = (): void => {
  signedIn.value = false
  show({ reason: 'locked', since: new Date().toISOString() })
}

/** Forgets why the phone did not work, such as before it is set up again. */
export const clearStopped = (): void => show(undefined)

/** Finds out whether the service still accepts the key of this phone, by a session of its own that ends at once. */
export const askWhetherStopped = async (): Promise<void> => {
  if (phone.peek() === undefined || !hasKey() || signedIn.peek()) return
  const service = createService()
  try {
    await service.mobile.login({ signer: await signer() })
    clearStopped()
    await service.auth.logout().catch(() => {})
  } catch (error) {
    showStopped(error)
  }
}

/** Asks when the service has ended the session, and again whenever a stopped phone is shown. Call the function once. */
export const watchStopped = (): void => {
  client.on('signedOut', ({ reason }) => {
    if (reason !== 'ended') return
    isFindingOut.value = true
    void askWhetherStopped().finally(() => {
      isFindingOut.value = false
    })
  })
  const askAgain = (): void => {
    if (!document.hidden && stopped.peek() !== undefined) void askWhetherStopped()
  }
  for (const reason of ['visibilitychange', 'online', 'pageshow']) addEventListener(reason, askAgain, true)
  effect(() => {
    if (signedIn.value) clearStopped()
  })
  askAgain()
}
