import { signal } from '@preact/signals'
import type { PaneName } from '../pane/pane.ts'

/** One HTTP call as the log shows it, secrets and all: they are those of whoever reads it. */
export interface Call {
  readonly id: number
  readonly pane: PaneName
  readonly method: string
  readonly path: string
  /** `undefined`: no answer came. */
  readonly status: number | undefined
  readonly milliseconds: number
  readonly authorization: string | null
  /** JSON, or empty. */
  readonly requestBody: string
  readonly responseBody: string
  /** How often in a row the same was asked and answered: what asks again and again fills no log. */
  readonly times: number
}

const KEPT = 200

/** The newest first. */
export const calls = signal<readonly Call[]>([])

const isRepeated = (call: Call, last: Call): boolean =>
  call.method === 'GET' &&
  (['pane', 'method', 'path', 'status', 'authorization', 'responseBody'] as const).every(
    (member) => call[member] === last[member],
  )

const keep = (call: Call): void => {
  const [last, ...older] = calls.value
  calls.value =
    last !== undefined && isRepeated(call, last)
      ? [{ ...call, id: last.id, times: last.times + 1 }, ...older]
      : [call, ...calls.value].slice(0, KEPT)
}

let count = 0

/** The platform's `fetch`, with each call kept in the log. */
export const recordingFetch =
  (pane: PaneName) =>
  async (request: Request): Promise<Response> => {
    count += 1
    const call = {
      id: count,
      pane,
      method: request.method,
      path: new URL(request.url).pathname,
      authorization: request.headers.get('authorization'),
      requestBody: await request.clone().text(),
      times: 1,
    }
    const startedAt = performance.now()
    try {
      const response = await fetch(request)
      const milliseconds = performance.now() - startedAt
      keep({ ...call, status: response.status, milliseconds, responseBody: await response.clone().text() })
      return response
    } catch (error) {
      keep({ ...call, status: undefined, milliseconds: performance.now() - startedAt, responseBody: '' })
      throw error
    }
  }
