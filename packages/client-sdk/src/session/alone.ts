import { CountersignError } from '../shared/errors/countersign-error.ts'
import { ofWindow } from '../shared/platform.ts'
import { pause, within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'

/** The longest wait for a lock. The tab that has the lock may sleep, and a browser may never answer. */
export const LOCK_PATIENCE: Milliseconds = 10_000

/**
 * Runs alone among all clients that use the same Web Lock, if there are locks. A lock that is not granted within `patience` is
 * passed over, so the work must be safe without it; with 0, the result is then `undefined`. Ends when the page is left, because the
 * lock of a page in the back/forward cache would stop every other tab.
 */
export const alone = async <T>(
  lock: string | undefined,
  patience: Milliseconds,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> => {
  const left = new AbortController()
  const waiting = new AbortController()
  const { signal } = waiting
  const onLeave = () => {
    left.abort(new CountersignError('The page was left', { code: 'NETWORK_ERROR' }))
    waiting.abort()
  }
  let running: Promise<T> | undefined
  let isTaken = false
  const runOnce = (held?: Lock | null): Promise<T> | undefined => {
    isTaken = held === null
    if (!isTaken) running ??= within(Infinity, left.signal, run)
    return running
  }
  const { locks } = (globalThis.navigator ?? {}) as Partial<Navigator>
  ofWindow.addEventListener?.('pagehide', onLeave)
  try {
    if (lock && locks) {
      const granted = locks.request(lock, patience ? { signal } : { ifAvailable: true }, runOnce)
      // The error of the run itself appears below.
      await Promise.race([granted, pause(patience || LOCK_PATIENCE, signal)]).catch(() => undefined)
    }
    return await (isTaken ? undefined : runOnce())
  } finally {
    waiting.abort()
    ofWindow.removeEventListener?.('pagehide', onLeave)
  }
}
