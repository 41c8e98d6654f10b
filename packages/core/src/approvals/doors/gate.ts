import type { ActionTypeName, PayloadOf } from '@countersign/contract'
import { checkCaller } from '../../identity/host-field-checks.ts'
import { type BoundCaller, requireWithin } from '../../identity/sessions/bound-of-caller.ts'
import { Invalid } from '../../shared/errors.ts'
import type { HostClient } from '../../shared/host-client.ts'
import { storableText } from '../../shared/input-schemas.ts'
import { isGateName } from '../gate-options.ts'
import { checkedPolicy, type NamedPolicy } from '../requests/named-policy.ts'
import { type ConsumeWithin, clientOf } from '../use/host-transaction.ts'
import type { UseDeps } from '../use/subject.ts'
import { use } from '../use/use.ts'
import { ConfirmationRequired, type RequiredAction } from './errors.ts'
import { gateUse } from './gate-use.ts'
import type { ConsumedApprovals } from './host.ts'

/** The action that a call of a gated operation would carry out. */
export interface GatedAction<P = RequiredAction['actionPayload']> extends Pick<RequiredAction, 'tenant'> {
  readonly actionPayload: P
  /** For an action that needs an approval request: its policy. Absent for an action that the caller approves alone. */
  readonly policy?: NamedPolicy | undefined
}

/** An operation of the host that needs an approval of exactly what it would do. */
export interface GateOfType<A, T extends ActionTypeName> {
  /** `<resource>.<action>`, such as `bank.transfer`, once in each process. It is signed, so an approval fits one gate only. */
  readonly name: string
  /** The type of the action to approve. */
  readonly actionType: T
  /** Builds the action to approve from the host's own data, with the version of a row. Read the rows on the `client`. */
  readonly build: (
    action: A,
    within: { readonly client: HostClient | undefined },
  ) => GatedAction<PayloadOf<T>> | Promise<GatedAction<PayloadOf<T>>>
}

/** The options of a gate. The type of the action determines the type of the payload that `build` returns. */
export type GateOptions<A, T extends ActionTypeName = ActionTypeName> = T extends unknown ? GateOfType<A, T> : never

/** One call of an operation that the host gates. */
export interface HostGateCall<A> {
  /** The user who calls, from `auth.authenticate`. Only an approval of this user counts, or a request that this user started. */
  readonly caller: BoundCaller
  /** The header `Confirmation-Id`; absent in the first call. For an action with a policy, the id of an approval request. */
  readonly confirmationId?: string | null | undefined
  /** The id of the approval request under a name of its own, for an action with a policy. */
  readonly requestId?: string | null | undefined
  /** The input of `build`. */
  readonly action: A
}

/**
 * Uses the approval of exactly the action that `build` returns. Carry the action out after this promise resolves, in the
 * transaction of the `client`. A storage on PostgreSQL needs the `client`, or `'none'` for an action without a transaction.
 * @throws ConfirmationRequired if the call has no approval, with the action to approve in `details`
 * @throws Invalid, Forbidden, ConfirmationNotFound, ConfirmationNotApproved, ActionMismatch, ConfirmationConsumed,
 *   ConfirmationTooOld
 * @throws ApprovalNotFound, ApprovalNotApproved, OtherPolicy, PolicyChanged, ApprovalRedeemed, ApprovalExpired
 * @throws OtherIsolationLevel unless the client's transaction is READ COMMITTED, TypeError for a wrong client or result of `build`
 */
export type HostGate<A> = (call: HostGateCall<A>, within?: ConsumeWithin) => Promise<ConsumedApprovals>

const NAME = /^[a-z][a-z0-9_-]{0,63}\.[a-z][a-z0-9_-]{0,63}$/

const requireName = (name: string, taken: Set<string>): void => {
  if (typeof name !== 'string' || name.length > 64 || !NAME.test(name))
    throw new RangeError('the name of a gate must have the form <resource>.<action>, and at most 64 characters')
  if (isGateName(name)) throw new RangeError(`the option gates guards ${name}; a gate of the host needs another name`)
  if (taken.has(name)) throw new RangeError(`there is a gate ${name} already; make it once, and call it many times`)
  taken.add(name)
}

/**
 * Returns the action with its payload as JSON has it, so that the payload to approve and the payload to compare are the same,
 * whatever values the host builds. @throws TypeError for a value that is not an action
 */
const asJson = (built: GatedAction<object>): GatedAction => {
  const { actionPayload, tenant, policy } = Object(JSON.parse(JSON.stringify(built) ?? 'null')) as Partial<GatedAction>
  const isPayload = typeof actionPayload === 'object' && actionPayload !== null && !Array.isArray(actionPayload)
  const isTenant = tenant === undefined || tenant === null || typeof tenant === 'string'
  if (isPayload && isTenant) return { actionPayload, tenant, policy: policy && checkedPolicy(policy) }
  throw new TypeError('build must return an actionPayload, and a tenant only as text')
}

const requireCall = ({ caller, confirmationId, requestId }: HostGateCall<unknown>): void => {
  const wrong = checkCaller(caller)
  if (wrong !== undefined) throw new Invalid({ caller: wrong })
  const id = storableText.nullish()
  if (!id.safeParse(confirmationId).success) throw new Invalid({ confirmationId: 'must be the id of a confirmation' })
  if (!id.safeParse(requestId).success) throw new Invalid({ requestId: 'must be the id of an approval request' })
}

const requireClient = ({ storage }: UseDeps, { client }: ConsumeWithin): void => {
  if (client !== undefined || storage.within === undefined) return
  throw new TypeError("client must be given: the host's client inside the transaction of the action, or 'none' without one")
}

export const gateMaker = (deps: UseDeps) => {
  const names = new Set<string>()
  return <A>({ name, actionType, build }: GateOptions<A>): HostGate<A> => {
    if (typeof actionType !== 'string' || typeof build !== 'function') {
      throw new TypeError('a gate needs an actionType and a function build')
    }
    requireName(name, names)
    return async (call, within = {}) => {
      requireCall(call)
      requireClient(deps, within)
      const client = clientOf(within)
      const { actionPayload, tenant, policy } = asJson(await build(call.action, { client }))
      await requireWithin(deps, call.caller, tenant ?? null)
      const id = (policy === undefined ? call.confirmationId : (call.requestId ?? call.confirmationId)) ?? undefined
      if (id === undefined) throw new ConfirmationRequired({ actionType, actionPayload, tenant }, name, policy)
      const action = { actionType, actionPayload, operation: name, tenant }
      const { userId } = call.caller
      const { receipts, usedAt } = await use(deps, {
        ...gateUse({ userId, id, needsRequest: policy !== undefined }, name),
        action,
        policy,
        client,
      })
      return { receipts, consumedAt: usedAt }
    }
  }
}
