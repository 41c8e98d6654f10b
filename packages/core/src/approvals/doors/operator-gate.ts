import type { IdentityStores } from '../../identity/stores.ts'
import type { GateName, Gates } from '../gate-options.ts'
import { findPolicy } from '../policies/policy-of.ts'
import { selectBand } from '../policies/select-band.ts'
import type { NamedPolicy } from '../requests/named-policy.ts'
import type { ApprovalStores } from '../stores.ts'
import type { UseDeps } from '../use/subject.ts'
import { use } from '../use/use.ts'
import { ConfirmationRequired, type RequiredAction } from './errors.ts'
import { gateUse } from './gate-use.ts'

/** The caller of a gated operation, and the approval that the caller presents. */
export interface Approver {
  /** The user whose approval counts; `undefined` for a caller who is not a user. */
  readonly userId: number | undefined
  /** The id of a confirmation, or of an approval request if the action type has a policy. */
  readonly confirmationId: string | undefined
}

export type GateStores = IdentityStores & ApprovalStores
type GateDeps = Omit<UseDeps, 'issueReceipt'>

/**
 * Uses the approval of a gated call in the transaction of the change, if the host gates the operation. An error rolls it back.
 * @throws ConfirmationRequired if the call has no approval, and the refusals of `use`
 * @throws ConfirmationNotApproved also for a confirmation of the caller alone, if the action type has a policy
 */
export type PassGate = <G extends GateName>(
  tx: GateStores,
  gate: G,
  call: {
    readonly approver: Approver
    /** Builds the action from what the call does. The approval must be of exactly this action. */
    readonly action: (actionType: NonNullable<Gates[G]>['actionType']) => RequiredAction
  },
) => Promise<void>

/** Makes the function that guards the operations in the option `gates`. */
export const gatekeeper =
  (deps: GateDeps): PassGate =>
  async (tx, gate, { approver: { userId, confirmationId: id }, action }) => {
    const required = deps.options.gates[gate]
    if (required === undefined) return
    const { actionType, actionPayload } = action(required.actionType)
    const inside = inTransaction(deps, tx)
    const policy = await policyFor(inside, actionType, actionPayload)
    if (userId === undefined || id === undefined) throw new ConfirmationRequired({ actionType, actionPayload }, gate, policy)
    await use(inside, {
      ...gateUse({ userId, id, needsRequest: policy !== null }, gate),
      action: { actionType, actionPayload, operation: gate },
    })
  }

/** Returns the ports for a use in the transaction of a change. Nobody gets receipts, and the caller's row is up to date. */
const inTransaction = (deps: GateDeps, tx: GateStores): UseDeps => {
  const stores = { ...tx, transaction: <T>(work: (inner: GateStores) => Promise<T>): Promise<T> => work(tx) }
  const byId: UseDeps['users']['byId'] = (id) => deps.users.byId(id, { client: undefined, stores })
  return { ...deps, storage: stores, users: { ...deps.users, areKeptByHost: false, byId }, issueReceipt: undefined }
}

/** Returns the policy of the action as a caller names it; `null` for an action that the caller approves alone. */
const policyFor = async (deps: UseDeps, actionType: string, actionPayload: unknown): Promise<NamedPolicy | null> => {
  const policy = await findPolicy(deps, actionType, null)
  if (policy === undefined) return null
  // The last band is the strictest. A payload that no band can check is refused when the approval is asked for.
  const groups = (policy.bands[(await selectBand(policy, actionPayload)) ?? policy.bands.length - 1] ?? { groups: [] }).groups
  if (groups === 'none') return { groups }
  const named = groups.map(({ permission, count }) => ({ permission, count }))
  const [only] = named
  return named.length === 1 && only !== undefined ? only : { groups: named }
}
