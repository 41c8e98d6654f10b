import type { Operation } from '../operations/index.ts'
import { rateLimitCategories } from '../vocabulary.ts'
import type { JsonSchema } from './schema.ts'
import { type RefusalStatus, refusalStatuses, refusalsOf } from './statuses.ts'

const json = (schema: JsonSchema, example?: unknown, type = 'application/json') => ({
  [type]: { schema, ...(example === undefined ? {} : { example }) },
})

const ref = (path: string): { readonly $ref: string } => ({ $ref: `#/components/${path}` })

const requestId = { 'X-Request-Id': ref('headers/RequestId') }
const limits = { RateLimit: ref('headers/RateLimit'), 'RateLimit-Policy': ref('headers/RateLimitPolicy') }
const retryAfter = { 'Retry-After': ref('headers/RetryAfter') }
const authenticate = { 'WWW-Authenticate': ref('headers/WwwAuthenticate') }

export const responseHeaders = {
  RequestId: {
    description: 'The id of the request in the log: the id that the client sent, or a new one',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'The current state of the limit (draft-ietf-httpapi-ratelimit-headers)', schema: { type: 'string' } },
  RateLimitPolicy: { description: 'The limit (draft-ietf-httpapi-ratelimit-headers)', schema: { type: 'string' } },
  RetryAfter: { description: 'Seconds to wait before the next attempt', schema: { type: 'integer', minimum: 1 } },
  WwwAuthenticate: { description: 'How to authenticate (RFC 9110 §11.6.1)', schema: { type: 'string', const: 'Bearer' } },
}

const isAlwaysLimited = (category: string): boolean => rateLimitCategories.some((each) => each === category)

type Service = Operation['service']

const bodyOfService: Record<Service, string> = { authentication: 'Error', projects: 'ProjectError' }

const headersOf = (status: RefusalStatus) => ({
  ...requestId,
  ...(status === 401 ? authenticate : {}),
  ...(status === 429 || status === 503 ? retryAfter : {}),
  ...(status === 429 ? limits : {}),
})

const responseName = (service: Service, status: RefusalStatus): string => `${service === 'projects' ? 'Projects' : ''}${status}`

/** Describes the error responses that operations refer to (`used`), for each service, because the bodies differ. */
export const refusalResponses = (used: ReadonlySet<string>): Record<string, unknown> => {
  const statuses = Object.entries(refusalStatuses).map(([status, description]) => ({
    status: Number(status) as RefusalStatus,
    description,
  }))
  const all = Object.fromEntries(
    (['authentication', 'projects'] as const).flatMap((service) =>
      statuses.map(({ status, description }) => [
        responseName(service, status),
        { description, headers: headersOf(status), content: json(ref(`schemas/${bodyOfService[service]}`)) },
      ]),
    ),
  )
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
}

export const responsesOf = (
  name: string,
  operation: Operation,
  output: { readonly schema: JsonSchema; readonly example: unknown; readonly hasQuery: boolean },
): Record<string, unknown> => {
  const { service, envelope, success, rateLimit, contentType } = operation
  const headers = { ...requestId, ...(isAlwaysLimited(rateLimit) ? limits : {}) }
  const schema: JsonSchema =
    envelope === 'bare' ? output.schema : { type: 'object', properties: { data: output.schema }, required: ['data'] }
  const example = envelope === 'bare' ? output.example : { data: output.example }
  const done = { description: 'Done', headers, ...(success === 204 ? {} : { content: json(schema, example, contentType) }) }
  const responses: Record<string, unknown> = { [success]: done }
  for (const status of refusalsOf(operation, output.hasQuery))
    responses[status] = ref(`responses/${responseName(service, status)}`)
  return { ...responses, ...bareRefusals[name] }
}

/** The error responses of operations without an envelope. Their bodies have forms of their own. */
const bareRefusals: Readonly<Record<string, Record<number, unknown>>> = {
  'internal.verify': {
    401: {
      description: 'The token is not valid; the body names no reason',
      headers: { ...requestId, ...authenticate },
      content: json(ref('schemas/TokenRefusal')),
    },
  },
  'health.check': {
    503: {
      description: 'The database cannot be reached, or the server is stopping',
      headers: requestId,
      content: json(ref('schemas/HealthReport')),
    },
  },
  'health.ready': {
    503: {
      description: 'The database takes no writes, or the server is stopping',
      headers: requestId,
      content: json(ref('schemas/ReadinessReport')),
    },
  },
}
