import { type ProjectErrorCode, statusOfErrorCode } from '@countersign/contract/error-codes'
import { CountersignError, type ErrorCode } from './countersign-error.ts'

/** What may be found in the error bodies of both services. */
interface ErrorBody {
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly error?: unknown
  readonly details?: object | null
}

/** The body of the project service names the very code that belongs to the status; that of the other has none. */
const codeOf = (status: number): ErrorCode | undefined =>
  (Object.keys(statusOfErrorCode) as ProjectErrorCode[]).find((code) => statusOfErrorCode[code] === status)

/** These say the same whoever answers, the service or what stands before it: come back later. */
export const isPassingStatus = (status: number | undefined): boolean => status === 429 || status === 503

/** What stands before the fields where a product's attributes are refused; the product may have any name. */
const PRODUCT = /^validation failed for product '.*': (?=\S+: )/s

/** Reads `field: what it takes; field: what it takes`, the form of every message about fields. */
const fieldsOf = (message: string): Record<string, string> => {
  const fields = new Map<string, string>()
  for (const part of message.replace(PRODUCT, '').split('; ')) {
    const [, field, takes] = /^([\w.[\]-]+): (.+)$/s.exec(part) ?? []
    if (field !== undefined && takes !== undefined) fields.set(field, takes)
  }
  return Object.fromEntries(fields)
}

const members = (value: unknown): ErrorBody => (typeof value === 'object' && value !== null ? value : {})

/** The members of a body that the service wrote, and of no other: proxies have pages and bodies of their own. */
const refusalIn = (
  status: number,
  body: unknown,
): { readonly message: string; readonly details?: object | null | undefined } | undefined => {
  const { error } = members(body)
  if (status === 400 && typeof error === 'string' && PRODUCT.test(error)) return { message: error }
  const { message, statusCode, details } = members(error ?? body)
  return typeof message === 'string' && statusCode === status ? { message, details } : undefined
}

const textsOf = (details: object): Record<string, string> =>
  Object.fromEntries(Object.entries(details).filter(([, takes]) => typeof takes === 'string'))

/**
 * The error that an answer other than a success stands for: a refusal of the service, which has its code, or what something
 * else says, which decides nothing about a session, a password or a field.
 */
export const toRefusal = ({ status, headers }: Response, body: unknown): CountersignError => {
  const refusal = refusalIn(status, body)
  const seconds = headers.get('retry-after')
  return new CountersignError(refusal?.message ?? `The service answered ${status}`, {
    code: ((refusal || isPassingStatus(status)) && codeOf(status)) || 'UNEXPECTED_ANSWER',
    status,
    details: refusal && status === 400 ? textsOf(refusal.details ?? fieldsOf(refusal.message)) : {},
    retryAfter: seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    body,
  })
}
