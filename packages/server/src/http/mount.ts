import { type Input, type Operation, type OperationName, type Output, operations, requestLayoutOf } from '@countersign/contract'
import type { Caller } from '@countersign/core'
import type { Hono } from 'hono'
import type { Asked } from './asked.ts'
import { bearerToken } from './bearer-token.ts'
import { clientAddress } from './client-address.ts'
import { type Collected, createCollectInput, namingHeaders } from './collect-input.ts'
import { type Answer, exchange, type Place } from './exchange.ts'
import type { Host } from './host.ts'
import type { JsonText } from './json-text.ts'
import { type MaybePromise, mapMaybe } from './maybe-promise.ts'
import { checkPath } from './paths.ts'
import { takeRateLimit } from './rate-limit.ts'
import { respond, type Sent } from './respond.ts'
import { createToJson } from './to-json.ts'

type AuthenticationOf<N extends OperationName> = (typeof operations)[N]['authentication']

/** A request to an operation, as its handler gets it. */
export interface Call<N extends OperationName> {
  /**
   * Body or query, headers and path members as they came. The core's use cases check them by the contract; members that
   * it does not know may still be there, so whatever a handler adds must stand last.
   */
  readonly input: Input<N>
  /** Who asks, where the operation wants to know. */
  readonly caller: AuthenticationOf<N> extends 'user' ? Caller : undefined
  /** The bearer token, where the operation takes one. */
  readonly token: AuthenticationOf<N> extends 'none' ? undefined : string
  /** The address of the client, as limits count it, where the operation is public. */
  readonly clientAddress: AuthenticationOf<N> extends 'none' ? string : undefined
  /** How a member of the body is written. */
  readonly sourceOf: (member: string) => string | undefined
}

/** An output that is answered with another status than the operation's own. */
export class WithStatus<T> {
  readonly status: number
  readonly output: T

  constructor(status: number, output: T) {
    this.status = status
    this.output = output
  }
}

type Answered<N extends OperationName> = Output<N> | JsonText<Output<N>> | WithStatus<Output<N>>

export type Handler<N extends OperationName> = (call: Call<N>) => MaybePromise<Answered<N>>

/** One handler for each operation: an operation without one does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<N> }

/** Asked by balancers and by other services at each of their own requests. */
const routine: ReadonlySet<OperationName> = new Set<OperationName>(['internal.verify', 'health.check'])

/** A request that has come to its operation. */
export interface Arrival {
  readonly request: Asked
  /** As it was written, where the operation's path has members. */
  readonly path: string
  /** The members of the path. */
  readonly members: Readonly<Record<string, string>>
  /** The other end of the connection, where the platform tells. */
  readonly socketAddress: () => string | undefined
}

/** Answers the requests of one operation. */
export type Operate = (arrival: Arrival) => MaybePromise<Sent>

export const placeOf = (name: OperationName): Place => {
  const { authentication, service, path }: Operation = operations[name]
  return { route: path, errorForm: authentication === 'presented' ? 'token' : service, isRoutine: routine.has(name) }
}

/**
 * Makes an operation answer: its row says what happens before its handler, in this order: authenticate, take from the rate
 * limit, collect the input, and authenticate again where that waited for a body. One function for all of it, because each
 * layer of middleware costs every request; and a chain that goes on in the same turn where a step is done at once, as
 * `/internal/verify` mostly is.
 */
export const createOperate = <N extends OperationName>(host: Host, name: N, handler: Handler<N>): Operate => {
  const operation: Operation = operations[name]
  const { authentication, rateLimit } = operation
  const isLimited = host.countersign.rateLimits.has(rateLimit)
  const place = placeOf(name)
  const toJson = createToJson(host, name)
  const collectInput = createCollectInput(requestLayoutOf(name))

  const callerOf = (token: string | undefined): MaybePromise<Caller | undefined> =>
    authentication === 'user' && token !== undefined ? host.countersign.auth.authenticate({ token }) : undefined

  const addressOf = ({ request, socketAddress }: Arrival): string =>
    clientAddress(request.headers, socketAddress(), host.trustProxy)

  const limit = (
    arrival: Arrival,
    from: string | undefined,
    caller: Caller | undefined,
    answerHeaders: Record<string, string>,
  ): MaybePromise<void> => {
    if (!isLimited) return undefined
    const subject = caller === undefined ? `address:${from ?? addressOf(arrival)}` : `user:${caller.userId}`
    return takeRateLimit(host.countersign, rateLimit, subject, answerHeaders)
  }

  const toAnswer =
    (request: Asked) =>
    (answered: Answered<N>): Answer =>
      answered instanceof WithStatus
        ? { status: answered.status, body: toJson(answered.output, request) }
        : { status: operation.success, body: toJson(answered, request) }

  const rename = (error: unknown): never => {
    throw namingHeaders(error, operation.headers)
  }

  const handle = (call: Call<N>): MaybePromise<Answered<N>> => {
    try {
      const answered = handler(call)
      return answered instanceof Promise ? answered.catch(rename) : answered
    } catch (error) {
      return rename(error)
    }
  }

  /** Whether the body arrives after the caller was authenticated. The session may end while a slow body arrives. */
  const waitsForBody = ({ method, arrived }: Asked): boolean => arrived === undefined && method !== 'GET' && method !== 'DELETE'

  return (arrival) => {
    const { request, path, members } = arrival
    host.noteForwarding(request.headers)
    return exchange(host, request, place, (answerHeaders) => {
      checkPath(path)
      const token = authentication === 'none' ? undefined : bearerToken(request.headers)
      // Read before the body is awaited: a connection that is gone by then tells no address.
      const from = authentication === 'none' ? addressOf(arrival) : undefined
      const answer = (collected: Collected) => (caller: Caller | undefined) =>
        mapMaybe(handle({ ...collected, caller, token, clientAddress: from } as unknown as Call<N>), toAnswer(request))
      return mapMaybe(callerOf(token), (early) =>
        mapMaybe(limit(arrival, from, early, answerHeaders), () =>
          mapMaybe(collectInput(request, members), (collected) =>
            mapMaybe(waitsForBody(request) ? callerOf(token) : early, answer(collected)),
          ),
        ),
      )
    })
  }
}

/** Mounts an operation where its row says. */
export const mount = (app: Hono, host: Host, { method, path }: Operation, operate: Operate): void => {
  const hasMembers = path.includes('{')
  app.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => {
    const request = c.req.raw
    const sent = operate({
      request,
      path: hasMembers ? c.req.path : '',
      members: hasMembers ? c.req.param() : {},
      socketAddress: () => host.socketAddress(request, c.env),
    })
    return mapMaybe(sent, respond)
  })
}
