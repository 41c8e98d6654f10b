import type { Output } from '@countersign/contract'
import type { CallOptions } from '../http/call.ts'
import { type AwaitSettled, orWithdraw } from './await-settled.ts'
import type { ApprovalSubject, Settled, State } from './subjects.ts'

/** A confirmation with a final status. */
export type SettledConfirmation = Settled<Output<'confirmations.status'>>

/** An approval request with a final status, and its votes: in all groups together, and in each group. */
export type SettledApprovalRequest = Settled<Output<'approvals.read'>>

/** A requested confirmation. */
export interface RequestedConfirmation extends Output<'confirmations.initiate'> {
  /**
   * Resolves when the confirmation is approved, rejected or expired. `options.timeout` limits the wait. If `signal` aborts, the
   * confirmation is withdrawn; `settled` of the client only stops waiting.
   * @throws CountersignError `TIMEOUT` if the confirmation is still pending by then
   */
  settled(options?: CallOptions): Promise<SettledConfirmation>
}

/** A started approval request. */
export interface RequestedApprovals extends Output<'approvals.start'> {
  /**
   * Resolves when the request has all its approvals, is rejected or expired, or redeemed. `options.timeout` limits the wait. If
   * `signal` aborts, the request is withdrawn; `settled` of the client only stops waiting.
   * @throws CountersignError `TIMEOUT` if approvals are still missing by then
   */
  settled(options?: CallOptions): Promise<SettledApprovalRequest>
}

/** Asks for a confirmation or for approvals, and returns the response with a function that waits for the decision. */
export const requestDecision = async <A, S extends State>(
  waitFor: AwaitSettled,
  subject: ApprovalSubject<A, S>,
  input: object,
  options?: CallOptions,
): Promise<A & { settled(later?: CallOptions): Promise<Settled<S>> }> => {
  const requested = await subject.ask(input, options)
  const id = subject.idOf(requested)
  return {
    ...requested,
    settled: (later) => {
      const waiting = { token: options?.token, ...later }
      return orWithdraw(subject, id, waiting, () => waitFor(subject, id, waiting))
    },
  }
}
