import type { LiveEvent } from '@countersign/contract'
import type { Fetch } from '../http/transfer.ts'
import { after } from '../shared/time/timer.ts'

/** Milliseconds until the first event. The service sends one at once, so a proxy holds back what comes later. */
const FIRST_EVENT = 5000
/** Milliseconds without a byte. The service sends a comment every 15 seconds. */
const SILENCE = 20_000

/**
 * How a stream ended. `ended`: the service ended it, or the connection broke. `silent`: nothing came in time, as with a proxy that
 * buffers. `unauthorized`: the session or its token has ended. `refused`: the service has no stream for this client now;
 * `retryAfter` in seconds if the service named a wait.
 */
export interface StreamEnd {
  readonly reason: 'ended' | 'silent' | 'unauthorized' | 'refused'
  readonly retryAfter?: number
}

/** Reads an event as the service writes it: one line each for the type and the JSON. A comment is not an event. */
const eventOf = (block: string): LiveEvent | undefined => {
  const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
  return type && data ? ({ type, ...(JSON.parse(data) as object) } as LiveEvent) : undefined
}

/** Reads one event stream to its end, or until the signal aborts. `onAlive` runs with every piece. */
export const readStream = async (
  { baseUrl, fetch }: { readonly baseUrl: string; readonly fetch: Fetch },
  token: string,
  signal: AbortSignal,
  { onAlive, onEvent }: { readonly onAlive: () => void; readonly onEvent: (event: LiveEvent) => void },
): Promise<StreamEnd> => {
  const stop = new AbortController()
  const abort = () => stop.abort()
  let isSilent = false
  const fallSilent = () => {
    isSilent = true
    abort()
  }
  signal.addEventListener('abort', abort)
  let cancel = after(FIRST_EVENT, fallSilent)
  try {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' }
    const request = new Request(`${baseUrl}/api/v1/auth/events`, { headers, signal: stop.signal, redirect: 'manual' })
    const response = await fetch(request)
    const reader = response.body?.getReader()
    if (response.status === 401) return { reason: 'unauthorized' }
    if (!response.ok || reader === undefined)
      return { reason: 'refused', retryAfter: Number(response.headers.get('retry-after')) }
    // The caller's fetch may ignore the signal.
    stop.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { reason: isSilent ? 'silent' : 'ended' }
      cancel()
      cancel = after(SILENCE, fallSilent)
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      onAlive()
      for (const event of blocks.map(eventOf)) if (event) onEvent(event)
    }
  } catch {
    return { reason: isSilent ? 'silent' : 'ended' }
  } finally {
    cancel()
    abort()
    signal.removeEventListener('abort', abort)
  }
}
