/** The place where a program sees an error code. */
export type ErrorPlace =
  /** The member `code` of the authentication service's error body. */
  | 'authentication'
  /** An error of the core, behind an error body of the project service. That body has a code by status. */
  | 'projects'
  /** An error of the core that no HTTP request causes: a host or an administrator on the command line meets it. */
  | 'host'

/** The HTTP status of each kind of error. */
export const statusOfErrorKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  rate_limited: 429,
  headers_too_large: 431,
  unexpected: 500,
  unavailable: 503,
} as const

/** The one declaration of an error. The core makes the class of the code from it, and the server the response. */
export interface ErrorDeclaration {
  readonly kind: keyof typeof statusOfErrorKind
  /** The message, if that is always the same. */
  readonly message?: string
  /** `authentication` by default. */
  readonly place?: ErrorPlace
  /** The case in which the error happens. */
  readonly when: string
  /** The remedy, in one or two sentences. */
  readonly remedy: string
}

type Said = Omit<ErrorDeclaration, 'kind' | 'message'>
type Kind = ErrorDeclaration['kind']

/** Declares an error of a kind, with its message if that is always the same. */
export function error<K extends Kind, const S extends Said>(kind: K, said: S): S & { readonly kind: K }
export function error<K extends Kind, M extends string, const S extends Said>(
  kind: K,
  message: M,
  said: S,
): S & { readonly kind: K; readonly message: M }
export function error(kind: Kind, ...[message, said]: [Said] | [string, Said]): ErrorDeclaration {
  return typeof message === 'string' ? { kind, message, ...(said as Said) } : { kind, ...message }
}

/** One error code, for programs and for the page `docs/errors.md`. */
export interface ErrorDescription extends ErrorDeclaration {
  readonly place: ErrorPlace
  /** The HTTP status. For a code of `host`, the status of its kind. */
  readonly status: (typeof statusOfErrorKind)[ErrorDeclaration['kind']]
}
