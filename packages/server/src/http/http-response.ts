import type { EventStream } from './event-stream.ts'

/** The headers of every response, including refusals. One constant object is cheaper than a middleware that sets each header. */
export const securityHeaders = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-XSS-Protection': '1; mode=block',
  'Referrer-Policy': 'no-referrer',
  // A response belongs to one user and must not be stored in a shared cache (CVE-2026-44457).
  'Cache-Control': 'no-store',
} as const

export interface ResponseContent {
  readonly status: number
  /** JSON, unless the headers of the response name another type; `null` for a response without a body. */
  readonly body: string | Uint8Array<ArrayBuffer> | null
  /** A body that is sent piece by piece, in place of `body`. */
  readonly stream?: EventStream
}

/** A response of the pipeline, before the headers that every response has are added. */
export interface HttpResponse extends ResponseContent {
  readonly headers: Readonly<Record<string, string>>
}

const jsonHeaders = { ...securityHeaders, 'Content-Type': 'application/json' } as const

/** Returns all headers of a response: the headers that every response has, and its own, which win. */
export const headersOf = ({ body, headers }: HttpResponse): Record<string, string> => ({
  ...(body === null ? securityHeaders : jsonHeaders),
  ...headers,
})

/** Converts milliseconds to whole seconds for a response, rounded up so that a client never waits too short. */
export const wholeSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)
