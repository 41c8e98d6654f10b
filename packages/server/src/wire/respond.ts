import { securityHeaders } from '../middleware/security-headers.ts'

/** An answer as it is sent, but for the headers that every answer has. */
export interface Sent {
  readonly status: number
  /** `null`: no body. */
  readonly json: string | null
  readonly headers: Readonly<Record<string, string>>
}

const jsonHeaders = { ...securityHeaders, 'Content-Type': 'application/json' } as const

/** Makes an answer of ours: JSON or nothing, and the headers that each has. */
export const respond = ({ status, json, headers }: Sent): Response =>
  new Response(json, { status, headers: { ...(json === null ? securityHeaders : jsonHeaders), ...headers } })
