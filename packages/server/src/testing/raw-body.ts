import type { SendOptions } from './test-app.ts'

const headers = { 'content-type': 'application/json' }

/** Replaces the body of a request by text or bytes that need not be JSON. */
export const rawBody = (body: string | Uint8Array<ArrayBuffer>, options: SendOptions): SendOptions => ({
  ...options,
  json: undefined,
  body,
  headers,
})
