import type { Input, OperationName, Output } from '@countersign/contract'

/** What any call can be told beside its input. */
export interface CallOptions {
  /**
   * Presented in place of the session's own token. Such a call neither uses nor renews the session of the client.
   */
  readonly token?: string
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * Milliseconds for the whole call, with whatever is sent again or renewed on its way. That of the client by default;
   * `Infinity` for no limit.
   */
  readonly timeout?: number
}

/** Calls an operation: resolves with its output, outside its envelope. @throws CountersignError */
export type Call = <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Output<N>>
