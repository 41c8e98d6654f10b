import type { Caller } from '../../identity/authentication/caller.ts'
import { seenClient } from '../../shared/from-client.ts'
import type { ApprovalDeps, AskingInput, ByCaller } from '../deps.ts'
import { askedBy, personOf, userRequester } from '../records/statement.ts'
import { type InitiatedConfirmation, startConfirmation } from './build-confirmation.ts'
import { requireAsker } from './require-asker.ts'
import { takeStart } from './take-start.ts'

/** The caller who asks. With the session, a device can end the session that asked (`reject` with `notMe`). */
export type Requester = Pick<Caller, 'userId'> & Partial<Pick<Caller, 'sessionId' | 'tenants'>>

export type Initiate = ByCaller<'confirmations.initiate', Requester> &
  AskingInput & {
    /** True if the response that the page gets shows the match number; true by default. */
    readonly extended?: boolean | undefined
  }

/**
 * Creates a pending confirmation of an action of the caller, of a built-in type or of a registered type.
 * @throws Invalid, TooManyPendingConfirmations, InvalidAccessToken, RateLimited (see `takeStart`)
 * @throws Forbidden in a tenant in which the user holds no permission, and outside of the tenants to which the session is bound
 * @example
 * const actionPayload = { amount: 1250, currency: 'EUR', recipient: 'ACME' }
 * const { id, expiresAt } = await countersign.confirmations.initiate({ caller, actionType: 'payment_approval', actionPayload })
 */
export async function initiate(deps: ApprovalDeps, input: Initiate): Promise<InitiatedConfirmation> {
  const { actionType, payload, caller, numberMatching, extended } = input
  const { user, tenants } = await requireAsker(deps, caller, input.tenant ?? null)
  await takeStart(deps, 'confirmation', caller, tenants)
  return startConfirmation(
    deps,
    {
      subject: personOf(user),
      asked: askedBy(userRequester(user), input),
      actionType,
      payload,
      requestedFrom: seenClient(input),
      requestedBy: caller.sessionId ?? null,
      boundTo: tenants,
      numberMatching: numberMatching === true,
      showsMatchNumber: extended ?? true,
    },
    deps.options.pendingConfirmationsPerUser,
  )
}
