import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../http/call.ts'
import { orWithdraw, type SettleDeps, type SettledConfirmation } from './await-settled.ts'

/** A requested confirmation. */
export interface RequestedConfirmation extends Output<'confirmations.initiate'> {
  /**
   * Resolves when the confirmation is approved, rejected or expired. See `settled` of the client.
   *
   * @param options `timeout` is ten minutes by default. If `signal` aborts, the confirmation is withdrawn, so the
   *   phone stops asking. The method `settled` of the client, with an id, only stops waiting.
   * @throws CountersignError `TIMEOUT` if the confirmation is still pending by then
   */
  settled(options?: CallOptions): Promise<SettledConfirmation>
}

export const requestConfirmation = async (
  { call, settled }: SettleDeps,
  input: Input<'confirmations.initiate'>,
  options?: CallOptions,
): Promise<RequestedConfirmation> => {
  const requested = await call('confirmations.initiate', input, options)
  return {
    ...requested,
    settled: (later) => {
      const waiting = { token: options?.token, ...later }
      const { confirmationId } = requested
      return orWithdraw(call, confirmationId, waiting, () => settled(confirmationId, waiting))
    },
  }
}
