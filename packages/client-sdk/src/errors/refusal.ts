import { type ProjectErrorCode, statusOfErrorCode } from '@countersign/contract/error-codes'
import { CountersignError, type ErrorCode } from './countersign-error.ts'

/** The error bodies of both services, and whatever else answers. */
interface ErrorBody {
  readonly message?: unknown
  readonly error?: unknown
  readonly details?: unknown
}

/** The body of the project service names the very code that belongs to the status; that of the other has none. */
const codeOf = (status: number): ErrorCode =>
  (Object.keys(statusOfErrorCode) as ProjectErrorCode[]).find((code) => statusOfErrorCode[code] === status) ?? 'UNEXPECTED_ANSWER'

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

/** The error that an answer other than a success stands for. */
export const toRefusal = ({ status, headers }: Response, body: unknown): CountersignError => {
  const { error, message: outer } = members(body)
  const { message = typeof error === 'string' ? error : outer, details } = members(error)
  const text = typeof message === 'string' ? message : `The service answered ${status}`
  const seconds = headers.get('retry-after')
  return new CountersignError(text, {
    code: codeOf(status),
    status,
    details: status === 400 ? ((details as Record<string, string> | undefined) ?? fieldsOf(text)) : {},
    retryAfter: seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    body,
  })
}
