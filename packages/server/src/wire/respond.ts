import { securityHeaders } from '../middleware/security-headers.ts'

/** An answer as it is sent, but for the headers that every answer has. */
export interface Sent {
  readonly status: number
  /** JSON, unless `headers` name another type; `null`: no body. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
}

const jsonHeaders = { ...securityHeaders, 'Content-Type': 'application/json' } as const

/** Makes an answer of ours: a body or nothing, and the headers that each has, unless its own say otherwise. */
export const respond = ({ status, body, headers }: Sent): Response =>
  new Response(body, { status, headers: { ...(body === null ? securityHeaders : jsonHeaders), ...headers } })
