import {
  errorBody,
  errorDescriptions,
  type Operation,
  operations,
  type ProjectErrorCode,
  projectErrorBody,
  tokenRefusal,
} from '@countersign/contract'
import { expect } from 'vitest'
import { securityHeaders } from '../http/http-response.ts'
import type { TestAnswer } from './test-app.ts'

/** Longer than any message, but shorter than a message that repeats the request. */
const LONGEST_MESSAGE = 8192

/** The statuses of refusals, with their codes in the project service. */
const refusals: Readonly<Record<number, ProjectErrorCode>> = {
  400: 'VALIDATION_ERROR',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
}

/** The required header of a refusal with this status. */
const headerOfStatus: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after' }

/** Expects the headers of every response. */
export const expectEveryHeader = ({ headers }: Pick<TestAnswer, 'headers'>, what?: string): void => {
  const isStream = headers.get('content-type') === 'text/event-stream'
  const expected = { ...securityHeaders, ...(isStream && { 'Cache-Control': 'no-store, no-transform' }) }
  for (const [name, value] of Object.entries(expected)) expect(headers.get(name), what).toBe(value)
  expect(headers.get('x-request-id'), what).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('x-powered-by'), what).toBeNull()
}

/** Expects a body of a type, or an empty body for status 204. */
export const expectContent = (
  { status, headers, text }: TestAnswer,
  what?: string,
  { contentType = 'application/json' }: Pick<Operation, 'contentType'> = {},
): void => {
  const isEmpty = status === 204
  expect([headers.get('content-type'), text === ''], what).toEqual([isEmpty ? null : contentType, isEmpty])
}

/** The path prefixes of the project service: `/api/v1/<noun>`. */
const projectPrefixes = new Set(
  Object.values<Operation>(operations)
    .filter(({ service }) => service === 'projects')
    .map(({ path }) => path.split('/', 4).join('/')),
)

/** Returns the service whose error body a path has, even if no operation has the path. */
const serviceOfPath = (path: string): Operation['service'] =>
  projectPrefixes.has(path.split('/', 4).join('/')) ? 'projects' : 'authentication'

const expectMessage = (message: string, what: string | undefined): void => {
  expect(message, what).not.toBe('')
  expect(message.length, what).toBeLessThan(LONGEST_MESSAGE)
}

/** Expects the error body of the authentication service, or the bare refusal of `/internal/verify` for an invalid token. */
const expectAuthenticationRefusal = (isOfToken: boolean, { status, body }: TestAnswer, what: string | undefined): void => {
  if (isOfToken) {
    const { message } = tokenRefusal.parse(body)
    expect(body, what).toStrictEqual({ valid: false, message, statusCode: status })
    expectMessage(message, what)
    return
  }
  const { message, code, details } = errorBody.parse(body)
  const expected = { message, statusCode: status, code }
  expect(body, what).toStrictEqual(details === undefined ? expected : { ...expected, details })
  expectMessage(message, what)
  expect(errorDescriptions[code].status, what).toBe(status)
  // A 400 names fields in its details. The refusal of a closed account says why and since when. Nothing else has details.
  if (code === 'account_locked') expect(Object.keys(details ?? {}), what).toEqual(['reason', 'since'])
  else expect(Object.keys(details ?? {}).length > 0, `${what}: ${JSON.stringify(body)}`).toBe(status === 400)
  for (const takes of Object.values<unknown>(details ?? {})) expectMessage(takes as string, what)
}

/** Expects an error body of the project service: a text about product attributes, or an object. */
const expectProjectRefusal = ({ path, status, body }: TestAnswer, what: string | undefined): void => {
  const { error } = projectErrorBody.parse(body)
  expect(body, what).toStrictEqual({ error })
  if (typeof error === 'string') {
    expect([status, path], what).toEqual([400, operations['projects.create'].path])
    expect(error, what).toMatch(/^validation failed for product '.*': .+: .+$/s)
    expectMessage(error, what)
    return
  }
  expect([error.statusCode, error.code], what).toEqual([status, refusals[status]])
  expectMessage(error.message, what)
  // Only a 400 names fields in its details.
  expect(Object.keys(error.details).length > 0, `${what}: ${JSON.stringify(error)}`).toBe(status === 400)
  for (const takes of Object.values<unknown>(error.details)) expectMessage(takes as string, what)
}

/**
 * Expects a documented response: the success of the operation, or a refusal with the right error body and headers. A server error
 * is never accepted.
 *
 * @param operation `undefined` for an unknown path.
 * @param what The description in a failure message.
 */
export const expectDocumented = (
  operation: Pick<Operation, 'success' | 'authentication' | 'contentType'> | undefined,
  answer: TestAnswer,
  what?: string,
): void => {
  const { path, status, headers, text } = answer
  expectEveryHeader(answer, what)
  if (status === operation?.success) {
    expectContent(answer, what, operation)
    return
  }
  expect(Object.keys(refusals).map(Number), `${what}: ${status} ${text.slice(0, 200)}`).toContain(status)
  expectContent(answer, what)
  const demanded = headerOfStatus[status]
  if (demanded !== undefined) expect(headers.get(demanded), what).toBeTruthy()
  if (serviceOfPath(path) === 'projects') expectProjectRefusal(answer, what)
  else expectAuthenticationRefusal(operation?.authentication === 'presented' && status === 401, answer, what)
}
