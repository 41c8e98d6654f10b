import type { Input, OperationName, Output } from '@countersign/contract'
import type { Uncounted } from '../shared/time/deadline.ts'

/** The options of any call. */
export interface CallOptions {
  /** The token to present in place of the session's token. The call then neither uses nor renews the session of the client. */
  readonly token?: string
  /** Ends the call at any step, also during a prompt. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * The time limit of the whole call in milliseconds, with all steps, retries and renewals. The time of a signer's or browser's
   * prompt does not count. The default is the client's limit; `Infinity` for no limit.
   */
  readonly timeout?: number
}

/** Calls an operation and resolves with its output, without the envelope. @throws CountersignError */
export type Call = <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/**
 * Runs a method of several steps with the signal and the time limit of `options`. `run` gets the options for each step. @throws
 * the errors of `within`
 */
export type InSteps = <T>(
  options: CallOptions | undefined,
  run: (step: CallOptions & { readonly signal: AbortSignal }, uncounted: Uncounted) => Promise<T>,
) => Promise<T>

/** The dependencies of methods with several steps. */
export interface StepDeps {
  readonly call: Call
  readonly inSteps: InSteps
}
