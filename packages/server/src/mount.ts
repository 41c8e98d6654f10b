import { type Input, type Operation, type OperationName, type Output, operations } from '@countersign/contract'
import { type Caller, type Soon, whenKnown } from '@countersign/core'
import type { Context, Hono } from 'hono'
import { type Answer, exchange } from './exchange.ts'
import type { Host } from './host.ts'
import { bearerToken } from './middleware/bearer-token.ts'
import { clientAddress } from './middleware/client-address.ts'
import { takeRateLimit } from './middleware/rate-limit.ts'
import { type Collected, collectInput, namingHeaders } from './wire/collect-input.ts'
import { JsonText } from './wire/json-text.ts'
import { checkPath } from './wire/paths.ts'

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

export type Handler<N extends OperationName> = (call: Call<N>) => Soon<Answered<N>>

/** One handler for each operation: an operation without one does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<N> }

/** Asked by balancers and by other services at each of their own requests. */
const routine: ReadonlySet<OperationName> = new Set<OperationName>(['internal.verify', 'health.check'])

/**
 * Mounts an operation: its row says method, path and what happens before its handler, in this order: authenticate, take
 * from the rate limit, collect the input. One function for all of it, because each layer of middleware costs every request;
 * and a chain that goes on in the same turn where a step is done at once, because `/internal/verify` mostly is, and each
 * `await` on the way would make its answer a promise: that costs half of what the route can serve.
 */
export const mount = <N extends OperationName>(app: Hono, host: Host, name: N, handler: Handler<N>): void => {
  const operation: Operation = operations[name]
  const { authentication, rateLimit } = operation
  const hasMembers = operation.path.includes('{')
  const errorForm = authentication === 'presented' ? 'token' : operation.service
  const place = { route: operation.path, errorForm, isRoutine: routine.has(name) } as const
  const [before, after] = operation.envelope === 'data' ? ['{"data":', '}'] : ['', '']

  const callerOf = (token: string | undefined): Soon<Caller | undefined> =>
    authentication === 'user' && token !== undefined ? host.countersign.auth.authenticate({ token }) : undefined

  const limit = (c: Context, caller: Caller | undefined, answerHeaders: Record<string, string>): Soon<void> => {
    if (rateLimit === 'none') return undefined
    const subject =
      caller === undefined
        ? `address:${clientAddress(c.req.raw.headers, host.socketAddress(c.req.raw, c.env), host.trustProxy)}`
        : `user:${caller.userId}`
    return takeRateLimit(host.countersign, rateLimit, subject, answerHeaders)
  }

  const toJson = (output: Output<N> | JsonText<Output<N>>): string | null => {
    if (operation.success === 204) return null
    const json = output instanceof JsonText ? output.text : JSON.stringify(output)
    host.checkOutput?.(name, JSON.parse(json))
    return `${before}${json}${after}`
  }

  const toAnswer = (answered: Answered<N>): Answer =>
    answered instanceof WithStatus
      ? { status: answered.status, body: toJson(answered.output) }
      : { status: operation.success, body: toJson(answered) }

  const rename = (error: unknown): never => {
    throw namingHeaders(error, operation.headers)
  }

  const handle = (call: Call<N>): Soon<Answered<N>> => {
    try {
      const answered = handler(call)
      return answered instanceof Promise ? answered.catch(rename) : answered
    } catch (error) {
      return rename(error)
    }
  }

  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
  app.on(operation.method, path, (c) =>
    exchange(host, c.req.raw, place, (answerHeaders) => {
      if (hasMembers) checkPath(c.req.path)
      const token = authentication === 'none' ? undefined : bearerToken(c.req.raw.headers)
      const answer = (caller: Caller | undefined) => (collected: Collected) =>
        whenKnown(handle({ ...collected, caller, token } as unknown as Call<N>), toAnswer)
      const collect = () => collectInput(c.req.raw, operation, hasMembers ? c.req.param() : {})
      return whenKnown(callerOf(token), (caller) =>
        whenKnown(limit(c, caller, answerHeaders), () => whenKnown(collect(), answer(caller))),
      )
    }),
  )
}
