import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../http/call.ts'
import { awaitSettled, type SettledConfirmation } from './await-settled.ts'

/** A requested confirmation. */
export interface RequestedConfirmation extends Output<'confirmations.initiate'> {
  /**
   * Resolves when the confirmation is approved, rejected or expired. The client asks for the status every few seconds.
   *
   * @param options `timeout` in milliseconds, ten minutes by default.
   * @throws CountersignError `TIMEOUT` if the confirmation is still pending by then
   */
  settled(options?: CallOptions): Promise<SettledConfirmation>
}

export const requestConfirmation = async (
  call: Call,
  input: Input<'confirmations.initiate'>,
  options?: CallOptions,
): Promise<RequestedConfirmation> => {
  const requested = await call('confirmations.initiate', input, options)
  return {
    ...requested,
    settled: (later) => awaitSettled(call, requested.confirmationId, { token: options?.token, ...later }),
  }
}
