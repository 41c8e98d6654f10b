import { checkCaller } from '../../identity/caller-checks.ts'
import { Invalid } from '../../shared/errors.ts'
import { storableText } from '../../shared/input-schemas.ts'
import type { ConsumedApproval, ConsumeWithin } from '../consumption/consume.ts'
import { type ConsumeDeps, consumeIn, consumerName } from '../consumption/consume-in.ts'
import { consumptionStores } from '../consumption/host-transaction.ts'
import { consumeWithReceipt } from '../consumption/receipt-of-use.ts'
import type { ApprovalDeps } from '../deps.ts'
import { isGateName } from '../gate-options.ts'
import { ConfirmationRequired, type RequiredAction } from './errors.ts'

/** One call of an operation that the host gates. */
export interface HostGateCall<I> {
  /** The user who calls, from `auth.authenticate`. Only an approval of this user counts. */
  readonly caller: { readonly userId: number }
  /** The header `Confirmation-Id` of the request; `undefined` for the first call. */
  readonly confirmationId?: string | null | undefined
  /** The input of `buildAction`. */
  readonly input: I
}

/**
 * Consumes the user's approval of exactly the action that `buildAction` returns. Carry the action out after this promise resolves;
 * if `within` has a database client of the host, in the transaction of that client.
 *
 * @throws ConfirmationRequired if the call has no approval, with the action to approve in `details`
 * @throws Invalid, ConfirmationNotFound, ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed, ConfirmationTooOld
 */
export type HostGate<I> = (call: HostGateCall<I>, within?: ConsumeWithin) => Promise<ConsumedApproval>

type BuildAction<I> = (input: I, within: ConsumeWithin) => RequiredAction | Promise<RequiredAction>

const NAME = /^[a-z][a-z0-9_-]{0,63}\.[a-z][a-z0-9_-]{0,63}$/

const requireName = (name: string): string => {
  if (typeof name !== 'string' || name.length > 64 || !NAME.test(name))
    throw new RangeError('the name of a gate must have the form <resource>.<action>, and at most 64 characters')
  if (isGateName(name)) throw new RangeError(`the option gates guards ${name}; a gate of the host needs another name`)
  return name
}

/**
 * Returns the action with its payload as JSON has it, so that the payload to approve and the payload to compare are the same,
 * whatever values the host builds. @throws TypeError for a value that is no action
 */
const asJson = (built: RequiredAction): RequiredAction => {
  const { actionType, actionPayload, scope } = Object(JSON.parse(JSON.stringify(built) ?? 'null')) as Partial<RequiredAction>
  const isPayload = typeof actionPayload === 'object' && actionPayload !== null && !Array.isArray(actionPayload)
  const isScope = scope === undefined || scope === null || typeof scope === 'string'
  if (typeof actionType === 'string' && isPayload && isScope) return { actionType, actionPayload, scope }
  throw new TypeError('buildAction must return an actionType and an actionPayload, and a scope only as text')
}

const requireCall = ({ caller, confirmationId }: HostGateCall<unknown>): void => {
  const wrong = checkCaller(caller)
  if (wrong !== undefined) throw new Invalid({ caller: wrong })
  const { error } = storableText.nullish().safeParse(confirmationId)
  if (error !== undefined) throw new Invalid({ confirmationId: 'must be the id of a confirmation' })
}

/** Makes the function `countersign.gate`. */
export const hostGates =
  (deps: ConsumeDeps & Pick<ApprovalDeps, 'storage' | 'users' | 'random' | 'issueReceipt'>) =>
  /**
   * Makes a gate for an operation of the host.
   *
   * @param name `<resource>.<action>`, such as `bank.transfer`. The database stores the name with each used approval.
   * @param buildAction Returns the action to approve, from the host's own data: what the call would do, and to which version of
   *   the row, and the scope if the approval is asked for in one. Its second argument has the database client of the call; read the rows on this client. The name of
   *   the gate is signed as the operation, so an approval for one gate never passes another.
   * @throws RangeError for another form of name, and for the name of an operation of Countersign
   */
  <I>(name: string, buildAction: BuildAction<I>): HostGate<I> => {
    const consumedBy = consumerName('gate', requireName(name))
    if (typeof buildAction !== 'function') throw new TypeError('buildAction must be a function')
    return async (call, within = {}) => {
      const { issueReceipt } = deps
      requireCall(call)
      const { userId } = call.caller
      const action = asJson(await buildAction(call.input, within))
      const { confirmationId } = call
      if (confirmationId === undefined || confirmationId === null) throw new ConfirmationRequired(action, name)
      const stores = await consumptionStores(deps, userId, within.client)
      const use = { ...action, operation: name, confirmationId, userId, consumedBy, consumedKey: null }
      if (issueReceipt === undefined) return { receipt: null, consumedAt: (await consumeIn(deps, stores, use)).consumedAt }
      const { confirmation, receipt } = await consumeWithReceipt(deps, stores, use, issueReceipt, false)
      return { receipt, consumedAt: confirmation.consumedAt }
    }
  }
