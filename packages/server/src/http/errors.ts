import { type Operation, type ProjectErrorCode, statusOfErrorCode } from '@countersign/contract'
import { CountersignError, type ErrorKind, Invalid, ProductAttributesRefused, RateLimited, Unavailable } from '@countersign/core'
import { WireRefusal, type WireRefusalKind } from './refusals.ts'
import { wholeSeconds } from './whole-seconds.ts'

type Kind = ErrorKind | WireRefusalKind | 'unexpected'

/** What each kind of refusal is to HTTP, said once: the code in the error body of the projects service, which has a status. */
const codeOfKind = {
  invalid: 'VALIDATION_ERROR',
  unreadable: 'VALIDATION_ERROR',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  route_not_found: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_ALLOWED',
  conflict: 'CONFLICT',
  gone: 'GONE',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  rate_limited: 'RATE_LIMITED',
  unexpected: 'INTERNAL_ERROR',
  unavailable: 'UNAVAILABLE',
} as const satisfies Record<Kind, ProjectErrorCode>

/** Whose error body an answer has; `token`: the one of `/internal/verify`, whose 401 is about the token asked about. */
export type ErrorForm = Operation['service'] | 'token'

/** A backslash ends the prefix as well: who makes a URL of the path reads it as a slash. */
const PROJECT_PATHS = /^\/api\/v1\/(?:projects|product-schemas)(?:[/\\]|$)/

/** The form for a path, as it was written, that no operation has. */
export const errorFormOfPath = (path: string): Operation['service'] => (PROJECT_PATHS.test(path) ? 'projects' : 'authentication')

interface Refusal {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

const kindOf = (error: unknown): Kind =>
  error instanceof CountersignError || error instanceof WireRefusal ? error.kind : 'unexpected'

const headersOf = (error: unknown, kind: Kind): Readonly<Record<string, string>> => {
  if (error instanceof WireRefusal) return error.headers
  // RFC 9110 §11.6.1 demands it of every 401.
  if (kind === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' }
  if (error instanceof RateLimited || error instanceof Unavailable) {
    return { 'Retry-After': String(Math.max(1, wholeSeconds(error.retryAfterMs))) }
  }
  return {}
}

/** Turns whatever was thrown into an answer. What is not one of our errors says nothing but that it happened. */
export const toRefusal = (error: unknown, form: ErrorForm): Refusal => {
  const kind = kindOf(error)
  const code = codeOfKind[kind]
  const status = statusOfErrorCode[code]
  const message = kind === 'unexpected' ? 'Internal server error' : (error as Error).message
  const headers = headersOf(error, kind)
  if (form === 'projects') {
    // The contract's own form for it: a text in place of the object.
    if (error instanceof ProductAttributesRefused) return { status, headers, body: { error: message } }
    const details = error instanceof Invalid ? error.fields : {}
    return { status, headers, body: { error: { code, message, details, statusCode: status } } }
  }
  const body = { message, statusCode: status }
  return { status, headers, body: form === 'token' && kind === 'unauthenticated' ? { valid: false, ...body } : body }
}
