import { holdSession } from '../../identity/sessions/bound-of-caller.ts'
import type { WithdrawnConfirmation } from '../askers/asked-confirmation.ts'
import type { WithdrawnRequest } from '../askers/asked-request.ts'
import { findAsked, type OfConfirmation, type OfRequest } from '../askers/find-asked.ts'
import { notifyOfSettled, type SettledDeps } from '../confirmations/notify-devices.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ViewDeps } from '../requests/request-view.ts'

type WithdrawDeps = ViewDeps & SettledDeps & Pick<ApprovalDeps, 'observer'>

/** The number of attempts. A vote between the check and the withdrawal makes the check start again. */
const ATTEMPTS = 3

/**
 * Withdraws a confirmation while nobody has decided, or an approval request while it lacks approvals. Of decisions and withdrawals
 * at the same time, exactly one succeeds. Any session of a user withdraws what their sessions asked for; a service the
 * confirmations that it asked for, and the requests that it may redeem.
 * @throws ConfirmationNotFound, ConfirmationExpired, ConfirmationUsed, InvalidAccessToken
 * @throws ApprovalNotFound, ApprovalExpired, ApprovalDecided, Forbidden for what no session of the user asked for
 * @throws MissingScope for a service without any scope `confirmation.initiate:TYPE`, or `approval.redeem:TYPE` for a request
 * @example
 * await countersign.confirmations.withdraw({ caller, confirmationId })
 * await countersign.services.withdraw({ service, confirmationId })
 * await countersign.approvalRequests.withdraw({ caller, approvalId })
 * await countersign.approvalRequests.withdrawForService({ service, approvalId })
 */
export function withdraw(deps: WithdrawDeps, input: OfConfirmation): Promise<WithdrawnConfirmation>
export function withdraw(deps: WithdrawDeps, input: OfRequest): Promise<WithdrawnRequest>
export async function withdraw(
  deps: WithdrawDeps,
  input: OfConfirmation | OfRequest,
): Promise<WithdrawnConfirmation | WithdrawnRequest> {
  const { storage, clock, observer } = deps
  for (let attempt = 1; ; attempt += 1) {
    const asked = await findAsked(deps, input, 'withdraw')
    const { store, answer } = await asked.withdrawing(clock.now())
    const settled = await ('service' in input
      ? store(storage)
      : storage.transaction(async (tx) => {
          await holdSession(tx, input.caller)
          return store(tx)
        }))
    if (settled !== undefined) {
      observer.confirmation({ actionType: asked.actionType, outcome: 'withdrawn' })
      notifyOfSettled(deps, settled)
      return answer
    }
    if (attempt === ATTEMPTS) throw asked.refused()
  }
}
