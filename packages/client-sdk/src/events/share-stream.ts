import type { LiveEvent } from '@countersign/contract'

/** A message of the tab that reads the stream to the other tabs. */
export type Told = LiveEvent | { readonly type: 'alive' } | { readonly type: 'lost' }

type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'> & { onmessage: ((message: { data: Told }) => void) | null }

const platform = globalThis as {
  readonly navigator?: { readonly locks?: Pick<LockManager, 'request'> }
  readonly BroadcastChannel?: new (name: string) => Channel
}

/**
 * Lets one tab of a session read the stream for all, because a browser has few connections to an origin. The first tab runs
 * `lead`; the next one follows when it closes. The leading tab passes the events on to the others. Without locks or channels,
 * every client reads a stream of its own.
 */
export const leadOrFollow = async (
  name: string,
  signal: AbortSignal,
  onTold: (told: Told) => void,
  lead: (tell: (told: Told) => void) => Promise<void>,
): Promise<void> => {
  const { BroadcastChannel, navigator } = platform
  if (!BroadcastChannel || !navigator?.locks) {
    await lead(onTold)
    return
  }
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onTold(data)
  try {
    await navigator.locks.request(name, { signal }, () =>
      lead((told) => {
        onTold(told)
        channel.postMessage(told)
      }),
    )
  } finally {
    channel.close()
  }
}
