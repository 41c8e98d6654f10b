import { errorBody, type Operation, tokenRefusal } from '@countersign/contract'
import { expect } from 'vitest'
import { securityHeaders } from '../middleware/security-headers.ts'
import type { TestAnswer } from './test-app.ts'

/** Longer than any message needs, shorter than any that would hand back what it was sent. */
const LONGEST_MESSAGE = 8192

/** The refusals that the authentication service has. */
const refusals = [400, 401, 403, 404, 405, 409, 410, 413, 415, 429]

/** What a refusal of this status must tell beside its body. */
const headerOfStatus: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after' }

/** Holds an answer to the headers that each has. */
export const expectEveryHeader = ({ headers }: Pick<TestAnswer, 'headers'>, what?: string): void => {
  for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name), what).toBe(value)
  expect(headers.get('x-request-id'), what).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('x-powered-by'), what).toBeNull()
}

/**
 * Holds an answer to what is documented: the operation's success, or a refusal with the service's error body, the headers
 * that each answer has and those that its status demands. Never a failure of the server.
 *
 * @param operation `undefined` for a path that no operation has.
 * @param what Told where it does not hold.
 */
export const expectDocumented = (
  operation: Pick<Operation, 'success' | 'authentication'> | undefined,
  { status, headers, body, text }: TestAnswer,
  what?: string,
): void => {
  expectEveryHeader({ headers }, what)
  if (status === operation?.success) return
  expect(refusals, `${what}: ${status} ${text.slice(0, 200)}`).toContain(status)
  expect(headers.get('content-type'), what).toBe('application/json')
  const demanded = headerOfStatus[status]
  if (demanded !== undefined) expect(headers.get(demanded), what).toBeTruthy()
  const form = operation?.authentication === 'presented' && status === 401 ? tokenRefusal : errorBody
  const { message } = form.parse(body)
  expect(body, what).toStrictEqual(
    form === tokenRefusal ? { valid: false, message, statusCode: status } : { message, statusCode: status },
  )
  expect(message, what).not.toBe('')
  expect(message.length, what).toBeLessThan(LONGEST_MESSAGE)
}
