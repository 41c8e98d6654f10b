import type { LiveEvent } from '@countersign/contract'
import { after } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'

/** The longest time without a message from the tab that reads the stream, which sends a sign of life every 15 seconds. */
const SILENCE: Milliseconds = 40_000

/** A message of the tab that reads the stream to the other tabs. */
export type SharedEvent = LiveEvent | { readonly type: 'alive' } | { readonly type: 'lost' }

type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'> & { onmessage: ((message: { data: SharedEvent }) => void) | null }

const platform = globalThis as {
  readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> }
  readonly BroadcastChannel?: new (name: string) => Channel
}

/**
 * Lets one tab of a session read the stream for all, because a browser has few connections to an origin. The first tab runs `lead`;
 * the next one follows when it closes. Without locks or channels, or without messages from the leading tab, which may sleep, every
 * client reads a stream of its own.
 */
export const leadOrFollow = async (
  name: string,
  signal: AbortSignal,
  onShared: (shared: SharedEvent) => void,
  lead: (share: (shared: SharedEvent) => void) => Promise<void>,
): Promise<void> => {
  const { BroadcastChannel, navigator } = platform
  if (!BroadcastChannel || !navigator?.locks) {
    await lead(onShared)
    return
  }
  const channel = new BroadcastChannel(name)
  let leading: Promise<void> | undefined
  const leadOnce = (): Promise<void> => {
    leading ??= lead((shared) => {
      onShared(shared)
      channel.postMessage(shared)
    })
    return leading
  }
  let cancel = () => {}
  const silence = new Promise<void>((resolve) => {
    const wait = () => {
      cancel()
      cancel = after(SILENCE, resolve)
    }
    wait()
    channel.onmessage = ({ data }) => {
      wait()
      onShared(data)
    }
  })
  try {
    // A browser may refuse locks. The error of the stream itself appears below.
    await Promise.race([navigator.locks.request(name, { signal }, leadOnce), silence]).catch(() => undefined)
    if (!signal.aborted) await leadOnce()
  } finally {
    cancel()
    channel.close()
  }
}
