import type { Input } from '@countersign/contract'
import type { Call, CallOptions, ObtainApprovalOptions } from '../http/call.ts'
import { CountersignError, type RequiredAction, refusedInput } from '../shared/errors/countersign-error.ts'
import { requireOpen, within } from '../shared/time/deadline.ts'
import { orWithdraw, type SettleDeps } from './await-settled.ts'

/** Makes the error for an action that the person did not approve. */
export const notApproved = (status: string): CountersignError =>
  new CountersignError(`The action was not approved: ${status}`, {
    code: status === 'rejected' ? 'CONFIRMATION_REJECTED' : 'CONFIRMATION_EXPIRED',
  })

/**
 * Requests the confirmation of an action and waits for the decision. Resolves with the id of the approved confirmation. If the
 * signal aborts, the confirmation is withdrawn.
 *
 * @throws CountersignError `CONFIRMATION_REJECTED`, `CONFIRMATION_EXPIRED`, or `TIMEOUT` after ten minutes; `VALIDATION_ERROR`
 *   for an action with a policy, which one person cannot approve
 */
export const obtainApproval = (
  { call, settled }: SettleDeps,
  action: RequiredAction,
  { onRequested, numberMatching }: ObtainApprovalOptions,
  { token, signal }: Pick<CallOptions, 'token' | 'signal'>,
): Promise<string> =>
  within(Infinity, signal, async () => {
    if (action.policy) throw refusedInput('policy', 'needs approvalRequests.start, because other people approve')
    const input = { ...action, tenant: action.tenant ?? undefined, numberMatching } as Input<'confirmations.initiate'>
    // Sent without the signal: after an abort, the confirmation may exist although nobody waits for it, and is then withdrawn.
    const { confirmationId, matchNumber, expiresAt } = await call('confirmations.initiate', input, { token })
    return orWithdraw(call, confirmationId, { token, signal }, async () => {
      requireOpen(signal)
      await onRequested?.({ ...action, confirmationId, matchNumber, expiresAt })
      const { status } = await settled(confirmationId, { token, signal })
      if (status !== 'approved') throw notApproved(status)
      return confirmationId
    })
  })

/**
 * Calls an operation. If a gate asks for an approval and the caller allows that, obtains the approval and repeats the call
 * once. A second refusal is thrown.
 */
export const callWithApproval =
  (deps: SettleDeps): Call =>
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
