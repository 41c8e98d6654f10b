import type { Input, OperationName, Output } from '@countersign/contract'
import type { Uncounted } from '../shared/time/deadline.ts'

/** What any call can be told beside its input. */
export interface CallOptions {
  /**
   * Presented in place of the session's own token. Such a call neither uses nor renews the session of the client.
   */
  readonly token?: string
  /** Ends the call, at any of its steps and while a person is asked; it rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * Milliseconds for the whole call, with whatever is sent again or renewed on its way, and with all of its steps where
   * there are several; not counted is what a signer or a browser takes over its prompt, which is the person's time. That of
   * the client by default; `Infinity` for no limit.
   */
  readonly timeout?: number
}

/** Calls an operation: resolves with its output, outside its envelope. @throws CountersignError */
export type Call = <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/**
 * Runs a method of several steps under one signal and one time limit, those of its options. Each step is called with the
 * options that are given to `run`. @throws what `within` throws
 */
export type InSteps = <T>(
  options: CallOptions | undefined,
  run: (step: CallOptions & { readonly signal: AbortSignal }, uncounted: Uncounted) => Promise<T>,
) => Promise<T>

/** What methods of several steps are made of. */
export interface StepDeps {
  readonly call: Call
  readonly inSteps: InSteps
}
