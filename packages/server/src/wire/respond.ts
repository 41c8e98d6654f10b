import { securityHeaders } from '../middleware/security-headers.ts'

/** Makes an answer of ours: JSON or nothing, and the headers that each has. */
export const respond = (status: number, json: string | null, headers: Readonly<Record<string, string>>): Response =>
  new Response(json, {
    status,
    headers:
      json === null ? { ...securityHeaders, ...headers } : { ...securityHeaders, 'Content-Type': 'application/json', ...headers },
  })
