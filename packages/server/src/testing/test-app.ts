import { isDeepStrictEqual } from 'node:util'
import {
  type Input,
  type Operation,
  type OperationName,
  type Output,
  operations,
  SERVICE_NAME_HEADER,
  shapes,
} from '@countersign/contract'
import { openApiDocument } from '@countersign/contract/openapi'
import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import type { CountersignApp } from '../adapters/hono.ts'
import { type AppOptions, createApp } from '../app.ts'

/** A request to the app, without a socket. */
export interface SendOptions {
  /** The bearer token. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The raw body. */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  /** The body as JSON, with its content type. */
  readonly json?: unknown
  /** The address of the peer. Defaults to 203.0.113.1. */
  readonly address?: string
}

export interface TestAnswer {
  /** The path of the request URL: without dot segments, not decoded. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; `undefined` for an empty one. */
  readonly body: unknown
}

/** The app on an in-memory database, with access to all of its ports. */
export interface TestApp extends TestCountersign {
  readonly app: CountersignApp
  /**
   * Sends any request; to the paths for services as the service `billing`. Fails if a success violates the contract of its
   * operation.
   */
  send(method: string, path: string, options?: SendOptions): Promise<TestAnswer>
  /** Calls an operation with any input. Fails if the status is not documented for the operation. */
  call(name: OperationName, input?: Readonly<Record<string, unknown>>, options?: SendOptions): Promise<TestAnswer>
  /** Calls an operation that must succeed. Returns the output without its envelope. */
  ask<N extends OperationName>(name: N, input: Input<N>, options?: SendOptions): Promise<Output<N>>
}

export type TestAppOptions = TestCountersignOverrides & { readonly app?: Partial<AppOptions> }

/** An output matches the contract if checking it changes nothing, because the check drops unknown members. */
const breachOf = (operation: OperationName, output: unknown): Error | undefined => {
  const checked = shapes[operation].output.safeParse(output)
  if (checked.success && isDeepStrictEqual(checked.data, output)) return undefined
  return new Error(`${operation} answered what its contract does not say: ${JSON.stringify(output)}`)
}

/** Returns the documented statuses of an operation. */
const describedStatuses = (() => {
  const { paths } = openApiDocument({ version: '1.2.3' })
  return new Map<OperationName, ReadonlySet<string>>(
    (Object.entries(operations) as [OperationName, Operation][]).map(([name, { path, method }]) => {
      const described = paths[path]?.[method.toLowerCase()] as { responses: Readonly<Record<string, unknown>> }
      return [name, new Set(Object.keys(described.responses))]
    }),
  )
})()

/** Returns method and path, and the members that are sent in neither of them. */
const toTarget = (operation: Operation, input: Readonly<Record<string, unknown>>) => {
  const rest: Record<string, unknown> = { ...input }
  const take = (member: string): string => {
    const value = String(rest[member])
    delete rest[member]
    return value
  }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, member: string) => encodeURIComponent(take(member)))
  const headers: Record<string, string> = {}
  for (const [member, name] of Object.entries(operation.headers ?? {})) if (member in rest) headers[name] = take(member)
  return { path, headers, rest }
}

/** Lists are sent as `name[]`, one parameter for each item. */
const toQuery = (members: Readonly<Record<string, unknown>>): string => {
  const pairs = Object.entries(members).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((item) => [`${name}[]`, String(item)]) : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Reads the first piece of a body that does not end, and lets the body go. */
const firstPiece = async (response: Response): Promise<string> => {
  const reader = response.body?.getReader()
  const piece = await reader?.read()
  await reader?.cancel()
  return new TextDecoder().decode(piece?.value)
}

/** Returns whether the path is one for services, which `send` then calls as the service `billing`. */
const isForServices = (path: string): boolean => path.startsWith('/internal/') && !path.startsWith('/internal/verify')

export const createTestApp = async ({ app: appOptions, ...overrides }: TestAppOptions = {}): Promise<TestApp> => {
  const test = await createTestCountersign({ deliverCode: () => {}, ...overrides })
  let breach: Error | undefined
  const app = createApp(test.countersign, {
    version: '1.2.3',
    logger: test.logger,
    checkOutput: (operation, output) => {
      breach ??= breachOf(operation, output)
    },
    ...appOptions,
  })

  const send: TestApp['send'] = async (method, path, { token, headers, body, json, address = '203.0.113.1' } = {}) => {
    const content = json === undefined ? body : JSON.stringify(json)
    const request = new Request(`http://countersign.test${path}`, {
      method,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isForServices(path) ? { [SERVICE_NAME_HEADER]: 'billing' } : {}),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content, duplex: 'half' }),
    })
    const response = await app.fetch(request, { incoming: { socket: { remoteAddress: address } } })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = await (isStream ? firstPiece(response) : response.text())
    if (breach !== undefined) throw breach
    return {
      path: new URL(request.url).pathname,
      status: response.status,
      headers: response.headers,
      text,
      body: isStream ? text : text === '' ? undefined : JSON.parse(text),
    }
  }

  const call: TestApp['call'] = async (name, input = {}, options = {}) => {
    const operation: Operation = operations[name]
    const { path, headers, rest } = toTarget(operation, input)
    const sent = { ...options, headers: { ...headers, ...options.headers } }
    const inQuery = operation.method === 'GET' || operation.method === 'DELETE'
    const answer = await (inQuery
      ? send(operation.method, `${path}${toQuery(rest)}`, sent)
      : send(operation.method, path, { json: rest, ...sent }))
    if (describedStatuses.get(name)?.has(String(answer.status)) !== true) {
      throw new Error(`${name} answered ${answer.status}, which its description does not name: ${answer.text}`)
    }
    return answer
  }

  const ask: TestApp['ask'] = async (name, input, options) => {
    const { status, body, text } = await call(name, input, options)
    if (status !== operations[name].success) throw new Error(`${name} answered ${status}: ${text}`)
    return (operations[name].envelope === 'data' ? (body as { data: unknown }).data : body) as Output<typeof name>
  }

  return { ...test, app, send, call, ask }
}
