import type { LiveEvent } from '@countersign/contract'
import { approvalOperations } from '@countersign/contract/operations'
import { type Route, transfer } from '../http/send.ts'
import { toRequest } from '../http/to-request.ts'
import type { CountersignError } from '../shared/errors/countersign-error.ts'
import { after } from '../shared/time/deadline.ts'
import type { Milliseconds, Seconds } from '../shared/time/units.ts'

/** The time until the first event. The service sends an event at once, so if it comes later, a proxy holds it back. */
const FIRST_EVENT: Milliseconds = 5000
/** The time without a byte. The service sends a comment every 15 seconds. */
const SILENCE: Milliseconds = 20_000

export interface StreamEnd {
  /** True if nothing came in time, as with a proxy that buffers. */
  readonly isSilent: boolean
  /** The HTTP status of a refusal; 401 if the session or its token has ended. */
  readonly status?: number | undefined
  /** The wait that the service asks for. */
  readonly retryAfter?: Seconds | undefined
}

/** Reads an event as the service writes it: one line each for the type and the JSON. A comment is not an event. */
const eventOf = (block: string): LiveEvent | undefined => {
  const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
  return type && data ? ({ type, ...(JSON.parse(data) as object) } as LiveEvent) : undefined
}

/** Reads one event stream to its end, or until the signal aborts. `onAlive` runs with every piece. */
export const readStream = async (
  route: Route,
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
  const read = async ({ body, headers }: Response): Promise<void> => {
    // The page of a proxy, or of an app that answers every path. The finally below aborts its body.
    if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return
    if (!body) throw new TypeError('This platform does not stream responses')
    const reader = body.getReader()
    // The caller's fetch may ignore the signal.
    stop.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}))
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      // A connection that breaks ends the stream too.
      const { value } = await reader.read().catch(() => ({ value: undefined }))
      if (value === undefined) return
      cancel()
      cancel = after(SILENCE, fallSilent)
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      onAlive()
      for (const event of blocks.map(eventOf)) if (event) onEvent(event)
    }
  }
  try {
    const layout = toRequest(approvalOperations['events.stream'], {})
    const asked = { ...layout, headers: { ...layout.headers, accept: 'text/event-stream' } }
    await transfer(route, asked, token, stop.signal, read)
    return { isSilent }
  } catch (error) {
    const { status, retryAfter } = error as Partial<CountersignError>
    return { isSilent, status, retryAfter }
  } finally {
    cancel()
    abort()
    signal.removeEventListener('abort', abort)
  }
}
