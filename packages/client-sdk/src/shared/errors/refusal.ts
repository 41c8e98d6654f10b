import { codeOfStatus } from '@countersign/contract/error-codes'
import { CountersignError, type ErrorCode, type RequiredAction } from './countersign-error.ts'

/** The code of a gate, which has the status 403 as other refusals have. */
const GATED = 'CONFIRMATION_REQUIRED'

/** The members that an error body of the authentication service or of the project service can have. */
interface ErrorBody {
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly code?: unknown
  readonly error?: unknown
  readonly details?: object | null
}

/** Returns the code of a 401, from the more exact code of the service. */
const codeOf401 = (serviceCode: string): ErrorCode =>
  /^(?:unauthenticated|invalid_(?:access|refresh)_token)$/.test(serviceCode)
    ? 'SESSION_ENDED'
    : /^(?:invalid_credentials|wrong_password)$/.test(serviceCode)
      ? 'WRONG_PASSWORD'
      : 'UNAUTHORIZED'

/** Returns whether the status means "try again later", whether the service or a proxy sent it. */
export const isPassingStatus = (status: number | undefined): boolean => status === 429 || status === 503

/** The start of the project service's message about the attributes of a product. The product can have any name. */
const PRODUCT = /^validation failed for product '.*': (?=\S+: )/s

/** Reads the fields from a message of the form `field: rule; field: rule`, for bodies without `details`. */
const fieldsOf = (message: string): Record<string, string> => {
  const fields = new Map<string, string>()
  for (const part of message.replace(PRODUCT, '').split('; ')) {
    const [, field, takes] = /^([\w.[\]-]+): (.+)$/s.exec(part) ?? []
    if (field !== undefined && takes !== undefined) fields.set(field, takes)
  }
  return Object.fromEntries(fields)
}

const members = (value: unknown): ErrorBody => (typeof value === 'object' && value !== null ? value : {})

interface ServiceRefusal {
  readonly message: string
  readonly details?: object | null | undefined
  readonly serviceCode?: string | undefined
  readonly requiredAction?: RequiredAction | undefined
}

/** Returns the members of an error body that the service wrote; `undefined` for the body of a proxy or another server. */
const refusalIn = (status: number, body: unknown): ServiceRefusal | undefined => {
  const { error } = members(body)
  if (status === 400 && typeof error === 'string' && PRODUCT.test(error)) return { message: error }
  const { message, statusCode, details, code } = members(error ?? body)
  if (typeof message !== 'string' || statusCode !== status) return undefined
  const requiredAction = code === GATED && details && 'actionPayload' in details ? (details as RequiredAction) : undefined
  return { message, details, requiredAction, serviceCode: error || typeof code !== 'string' ? undefined : code }
}

const textsOf = (details: object): Record<string, string> =>
  Object.fromEntries(Object.entries(details).filter(([, takes]) => typeof takes === 'string'))

/** Makes the error of a response. A response that the service did not write becomes `UNEXPECTED_ANSWER`, and says nothing else. */
export const toRefusal = ({ status, headers }: Response, body: unknown): CountersignError => {
  const refusal = refusalIn(status, body)
  const seconds = headers.get('retry-after')
  return new CountersignError(refusal?.message ?? `The service answered ${status}`, {
    code:
      (refusal?.requiredAction && GATED) ||
      (refusal && status === 401 && codeOf401(refusal.serviceCode ?? (members(body).error ? 'unauthenticated' : ''))) ||
      ((refusal || isPassingStatus(status)) && codeOfStatus[status as keyof typeof codeOfStatus]) ||
      'UNEXPECTED_ANSWER',
    serviceCode: refusal?.serviceCode,
    status,
    requiredAction: refusal?.requiredAction,
    details: refusal && (status === 400 || status === 401) ? textsOf(refusal.details ?? fieldsOf(refusal.message)) : {},
    retryAfter: seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    body,
  })
}
