import { signal } from '@preact/signals'
import { type Call, keepCall } from './keep-call.ts'

export const calls = signal<readonly Call[]>([])

const keep = (call: Call): void => {
  calls.value = keepCall(calls.value, call)
}

let count = 0

export const recordingFetch = async (request: Request): Promise<Response> => {
  count += 1
  const call = {
    id: count,
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
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    keep({ ...call, status: response.status, milliseconds, responseBody: isStream ? '' : await response.clone().text() })
    return response
  } catch (error) {
    keep({ ...call, status: undefined, milliseconds: performance.now() - startedAt, responseBody: '' })
    throw error
  }
}
