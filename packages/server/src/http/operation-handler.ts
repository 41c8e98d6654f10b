import type { Input, OperationName, Output, operations } from '@countersign/contract'
import type { Caller, CallingService } from '@countersign/core'
import type { EventStream } from './event-stream.ts'
import type { Given, WithJsonText } from './json-text.ts'
import type { RequestFacts } from './request-log.ts'

type AuthenticationOf<N extends OperationName> = (typeof operations)[N]['authentication']

type ServiceOf<N extends OperationName> = (typeof operations)[N]['service']

export interface Client {
  /** The address as limits count it. */
  readonly address: string
  /** The header `User-Agent`, as the client wrote it. */
  readonly userAgent: string | undefined
}

/** The user or the service that a request comes from. Both are `undefined` for an operation that needs neither. */
export interface Authenticated {
  readonly caller: Caller | undefined
  readonly service: CallingService | undefined
}

/** A request to an operation, after the steps of the pipeline. */
export interface OperationCall<N extends OperationName> {
  /** The input as it came; the core checks it. Unknown members may be there, so what a handler adds must be last. */
  readonly input: Input<N>
  /** The authenticated caller, for operations that need one. */
  readonly caller: AuthenticationOf<N> extends 'user' ? Caller : undefined
  readonly service: AuthenticationOf<N> extends 'service' ? CallingService : undefined
  /** The bearer token, for operations that take one. */
  readonly token: AuthenticationOf<N> extends 'none' ? undefined : string
  /** The client, for the operations of the authentication service. Handlers pass both members on, after `input`. */
  readonly client: AuthenticationOf<N> extends 'presented'
    ? undefined
    : ServiceOf<N> extends 'authentication'
      ? Client
      : undefined
  /** True if the request gets an extended answer. */
  readonly extended: boolean
  /** Returns a signal that is aborted when the client goes away before the response. */
  readonly disconnected: () => AbortSignal
  /** The known facts about the request. A login adds its user. */
  readonly facts: RequestFacts
  /** Returns the JSON text of a member of the body, as it came. */
  readonly sourceOf: (member: string) => string | undefined
}

/** An output with another status than the operation's own. */
export class WithStatus<T> {
  readonly status: number
  readonly output: T

  constructor(status: number, output: T) {
    this.status = status
    this.output = output
  }
}

/** The result of an operation, before it is reduced to the members of the contract and serialized. */
export type OperationResult<N extends OperationName> =
  | Given<Output<N>>
  | WithJsonText<Output<N>>
  | WithStatus<Given<Output<N>>>
  | (N extends 'events.stream' ? EventStream : never)

/** Runs an operation: calls the use case and gives its result the names of the contract. */
export type OperationHandler<N extends OperationName> = (call: OperationCall<N>) => Promise<OperationResult<N>>

/** Waits until an operation without a result is done, and returns its output. */
export const acknowledged = async (done: Promise<unknown>, message: string) => {
  await done
  return { success: true as const, message }
}

export type OperationHandlers = { readonly [N in OperationName]: OperationHandler<N> }

/** One handler for each operation of a table. An operation without a handler does not compile. */
export type HandlersOf<Table> = { readonly [N in keyof Table & OperationName]: OperationHandler<N> }
