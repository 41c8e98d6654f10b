import {
  type AuthenticationErrorCode,
  authenticationErrorCodes,
  codeOfStatus,
  type ErrorCode,
  type ErrorDescription,
  errorDescriptions,
  type Operation,
  operations,
  statusOfErrorKind,
} from '@countersign/contract'
import { errors } from '@countersign/core'
import { wholeSeconds } from './http-response.ts'
import { WireRefusal, type WireRefusalCode } from './refusals.ts'

type Kind = errors.ErrorKind | (typeof errorDescriptions)[WireRefusalCode]['kind'] | 'unexpected'

/** Returns the code of a kind of error in the authentication service's error body, for errors without a more exact code. */
const codeOfKind = (kind: Kind): AuthenticationErrorCode => {
  if (kind === 'invalid') return 'invalid_input'
  return kind === 'unexpected' ? 'internal_error' : kind
}

/** The form of an error body: the form of a service, or of a refused token at `/internal/verify` (`token`). */
export type ErrorForm = Operation['service'] | 'token'

/** The paths under which the project service answers, such as `/api/v1/projects`. */
const projectPrefixes: readonly string[] = Object.values<Operation>(operations)
  .filter(({ service }) => service === 'projects')
  .map(({ path }) => path.split('/', 4).join('/'))

/** Returns the form for a path that no operation has. Clients that parse URLs read a backslash as a slash. */
export const errorFormOfPath = (path: string): Operation['service'] =>
  projectPrefixes.some((prefix) => path.startsWith(prefix) && /^(?:[/\\]|$)/.test(path.slice(prefix.length)))
    ? 'projects'
    : 'authentication'

interface Refusal {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** The code of the refusal, in the words of the authentication service. */
  readonly code: AuthenticationErrorCode
}

const kindOf = (error: unknown): Kind => {
  if (error instanceof WireRefusal) return errorDescriptions[error.code].kind
  return error instanceof errors.CountersignError ? error.kind : 'unexpected'
}

const isListed = (code: string): code is AuthenticationErrorCode =>
  Object.hasOwn(errorDescriptions, code) && errorDescriptions[code as ErrorCode].place === 'authentication'

/** Returns the code of the error. A code that the contract does not list, such as a host's own, becomes the code of its kind. */
const codeOf = (error: unknown, kind: Kind): AuthenticationErrorCode => {
  if (error instanceof WireRefusal) return error.code
  return error instanceof errors.CountersignError && isListed(error.code) ? error.code : codeOfKind(kind)
}

const headersOf = (error: unknown, kind: Kind): Readonly<Record<string, string>> => {
  if (error instanceof WireRefusal) return error.headers
  // RFC 9110 §11.6.1 demands the header of every 401.
  if (kind === 'unauthenticated') return { 'WWW-Authenticate': 'Bearer' }
  if (error instanceof errors.RateLimited || error instanceof errors.Unavailable) {
    return { 'Retry-After': String(Math.max(1, wholeSeconds(error.retryAfterMs))) }
  }
  return {}
}

/** Turns a thrown value into a response, by the contract's table. An error of unknown origin becomes a 500 that reveals nothing. */
export const toRefusal = (error: unknown, form: ErrorForm): Refusal => {
  const kind = kindOf(error)
  const isGated = error instanceof errors.ConfirmationRequired
  const status = statusOfErrorKind[kind]
  const message = kind === 'unexpected' ? errorDescriptions.internal_error.message : (error as Error).message
  const code = codeOf(error, kind)
  const common = { status, code, headers: headersOf(error, kind) }
  const hasDetails = isGated || error instanceof errors.AccountLocked
  const details = hasDetails ? error.details : error instanceof errors.Invalid ? error.fields : {}
  if (form === 'projects') {
    // The contract's form for product attributes: a text in place of the object.
    if (error instanceof errors.ProductAttributesRefused) return { ...common, body: { error: message } }
    return {
      ...common,
      body: { error: { code: isGated ? error.code : codeOfStatus[status], message, details, statusCode: status } },
    }
  }
  if (form === 'token' && kind === 'unauthenticated') {
    return { ...common, body: { valid: false, message, statusCode: status } }
  }
  const body = { message, statusCode: status, code, ...(status === 400 || hasDetails ? { details } : {}) }
  return { ...common, body }
}

/** Returns the error body for a connection on which Node could not read a request. */
export const rawErrorBody = (status: number, message: string): unknown => {
  const ofStatus = authenticationErrorCodes.find((code) => {
    const { kind, status: own }: ErrorDescription = errorDescriptions[code]
    return own === status && kind === code
  })
  return { message, statusCode: status, code: ofStatus ?? 'malformed_request', ...(status === 400 ? { details: {} } : {}) }
}
