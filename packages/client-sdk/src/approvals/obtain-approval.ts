import type { Call, CallOptions, ObtainApprovalOptions } from '../http/call.ts'
import { CountersignError, type RequiredAction } from '../shared/errors/countersign-error.ts'
import { DECISION_TIMEOUT, requireOpen, within } from '../shared/time/deadline.ts'
import { type AwaitSettled, orWithdraw } from './await-settled.ts'
import type { ApprovalSubject, ApprovalSubjects } from './subjects.ts'

/** The dependencies of methods that ask for an approval and wait for the decision. */
export interface ObtainDeps {
  readonly call: Call
  readonly subjects: ApprovalSubjects
  readonly waitFor: AwaitSettled
}

export const notApproved = (status: string): CountersignError =>
  new CountersignError(`The action was not approved: ${status}`, {
    code: status === 'rejected' ? 'CONFIRMATION_REJECTED' : 'CONFIRMATION_EXPIRED',
  })

/**
 * Asks whoever a refusal names, and resolves with the id that the repeated call carries. If the signal aborts, what was asked for
 * is withdrawn. @throws CountersignError `CONFIRMATION_REJECTED`, `CONFIRMATION_EXPIRED`, `TIMEOUT`
 */
export const obtainApproval = (
  { subjects, waitFor }: Omit<ObtainDeps, 'call'>,
  action: RequiredAction,
  { onRequested, numberMatching, context, timeout = DECISION_TIMEOUT }: ObtainApprovalOptions,
  { token, signal }: Pick<CallOptions, 'token' | 'signal'>,
): Promise<string> =>
  within(Infinity, signal, async () => {
    const { policy, ...asked } = { ...action }
    const subject: ApprovalSubject = policy ? subjects.request : subjects.confirmation
    // Sent without the signal: after an abort, the confirmation may exist although nobody waits for it, and is then withdrawn.
    const requested = await subject.ask({ ...asked, numberMatching, context }, { token })
    const confirmationId = subject.idOf(requested)
    return orWithdraw(subject, confirmationId, { token, signal }, async () => {
      requireOpen(signal)
      const { matchNumber, expiresAt } = requested
      await onRequested?.({ ...action, confirmationId, matchNumber, expiresAt })
      const { status } = await waitFor(subject, confirmationId, { token, signal, timeout })
      // A request that a service has redeemed had all its approvals. The repeated call says that they are used.
      if (status === 'rejected' || status === 'expired') throw notApproved(status)
      return confirmationId
    })
  })

/** Calls an operation. If a gate asks for an approval and the caller allows that, obtains it and repeats the call once. */
export const callWithApproval =
  (deps: ObtainDeps): Call =>
  async (name, input, options) => {
    const { approval, ...once } = { ...options }
    try {
      return await deps.call(name, input, once)
    } catch (error) {
      const action = error instanceof CountersignError ? error.requiredAction : undefined
      if (!approval || !action) throw error
      const confirmationId = await obtainApproval(deps, action, approval, once)
      return deps.call(name, { ...input, confirmationId }, once)
    }
  }
