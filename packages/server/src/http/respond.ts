import { securityHeaders } from './security-headers.ts'

/** An answer as it is sent, but for the headers that every answer has. */
export interface Sent {
  readonly status: number
  /** JSON, unless `headers` name another type; `null`: no body. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

const jsonHeaders = { ...securityHeaders, 'Content-Type': 'application/json' } as const

/** All headers of an answer: those that each has, unless its own say otherwise. */
export const headersOf = ({ body, headers }: Sent): Record<string, string> => ({
  ...(body === null ? securityHeaders : jsonHeaders),
  ...headers,
})

/** Makes an answer of ours: a body or nothing, and its headers. */
export const respond = (sent: Sent): Response => new Response(sent.body, { status: sent.status, headers: headersOf(sent) })
