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
import { securityHeaders } from '../http/security-headers.ts'
import type { TestAnswer } from './test-app.ts'

/** Longer than any message needs, shorter than any that would hand back what it was sent. */
const LONGEST_MESSAGE = 8192

/** The refusals that there are, and what the projects service calls each. */
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

/** What a refusal of this status must tell beside its body. */
const headerOfStatus: Readonly<Record<number, string>> = { 401: 'www-authenticate', 405: 'allow', 429: 'retry-after' }

/** Holds an answer to the headers that each has. */
export const expectEveryHeader = ({ headers }: Pick<TestAnswer, 'headers'>, what?: string): void => {
  for (const [name, value] of Object.entries(securityHeaders)) expect(headers.get(name), what).toBe(value)
  expect(headers.get('x-request-id'), what).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
  expect(headers.get('x-powered-by'), what).toBeNull()
}

/** Holds an answer to JSON, or to nothing at all where its status says so. */
export const expectContent = ({ status, headers, text }: TestAnswer, what?: string): void => {
  const isEmpty = status === 204
  expect([headers.get('content-type'), text === ''], what).toEqual([isEmpty ? null : 'application/json', isEmpty])
}

/** The paths of the projects service and below them: `/api/v1/<noun>`. */
const projectPrefixes = new Set(
  Object.values<Operation>(operations)
    .filter(({ service }) => service === 'projects')
    .map(({ path }) => path.split('/', 4).join('/')),
)

/** Whose error body the refusal of a path has, whether an operation has the path or not. */
const serviceOfPath = (path: string): Operation['service'] =>
  projectPrefixes.has(path.split('/', 4).join('/')) ? 'projects' : 'authentication'

const expectMessage = (message: string, what: string | undefined): void => {
  expect(message, what).not.toBe('')
  expect(message.length, what).toBeLessThan(LONGEST_MESSAGE)
}

/** The one form of the authentication service, and of `/internal/verify` for a token that is not good. */
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
  // A bad request says what is bad about it; no other refusal blames a field.
  expect(Object.keys(details ?? {}).length > 0, `${what}: ${JSON.stringify(body)}`).toBe(status === 400)
  for (const takes of Object.values(details ?? {})) expectMessage(takes, what)
}

/** The two forms of the projects service: a text for the attributes of a product that is to be created, else an object. */
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
  // A bad request says what is bad about it; no other refusal blames a field.
  expect(Object.keys(error.details).length > 0, `${what}: ${JSON.stringify(error)}`).toBe(status === 400)
  for (const takes of Object.values(error.details)) expectMessage(takes, what)
}

/**
 * Holds an answer to what is documented: the operation's success, or a refusal with the error body of the service whose
 * path it is, the headers that each answer has and those that its status demands. Never a failure of the server.
 *
 * @param operation `undefined` for a path that no operation has.
 * @param what Told where it does not hold.
 */
export const expectDocumented = (
  operation: Pick<Operation, 'success' | 'authentication'> | undefined,
  answer: TestAnswer,
  what?: string,
): void => {
  const { path, status, headers, text } = answer
  expectEveryHeader(answer, what)
  if (status === operation?.success) {
    expectContent(answer, what)
    return
  }
  expect(Object.keys(refusals).map(Number), `${what}: ${status} ${text.slice(0, 200)}`).toContain(status)
  expectContent(answer, what)
  const demanded = headerOfStatus[status]
  if (demanded !== undefined) expect(headers.get(demanded), what).toBeTruthy()
  if (serviceOfPath(path) === 'projects') expectProjectRefusal(answer, what)
  else expectAuthenticationRefusal(operation?.authentication === 'presented' && status === 401, answer, what)
}
