import { securityHeaders } from '../middleware/security-headers.ts'

/** Makes an answer of ours: JSON or nothing, and the headers that each has, unless `headers` says otherwise. */
export const respond = (status: number, body: string | null, headers: Readonly<Record<string, string>>): Response =>
  new Response(body, {
    status,
    headers:
      body === null ? { ...securityHeaders, ...headers } : { ...securityHeaders, 'Content-Type': 'application/json', ...headers },
  })
