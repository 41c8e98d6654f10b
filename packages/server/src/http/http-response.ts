import { securityHeaders } from './security-headers.ts'

/** The status and body of a response. */
export interface ResponseContent {
  readonly status: number
  /** JSON, unless the headers of the response name another type; `null` for a response without a body. */
  readonly body: string | null
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
