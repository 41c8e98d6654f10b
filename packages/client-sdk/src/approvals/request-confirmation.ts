import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../http/call.ts'
import { awaitSettled, type SettledConfirmation } from './await-settled.ts'

/** A confirmation that was asked for. */
export interface RequestedConfirmation extends Output<'confirmations.initiate'> {
  /**
   * Resolves as soon as it is approved, rejected or expired, with its state; it looks every few seconds.
   *
   * @param options `timeout` in milliseconds, ten minutes by default.
   * @throws CountersignError `TIMEOUT` where it still waits by then
   */
  settled(options?: CallOptions): Promise<SettledConfirmation>
}

export const requestConfirmation = async (
  call: Call,
  input: Input<'confirmations.initiate'>,
  options?: CallOptions,
): Promise<RequestedConfirmation> => {
  const requested = await call('confirmations.initiate', input, options)
  const kept = options?.token === undefined ? {} : { token: options.token }
  return {
    ...requested,
    settled: (later) => awaitSettled(call, requested.confirmationId, { ...kept, ...later }),
  }
}
