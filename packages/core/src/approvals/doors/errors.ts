import type { ActionTypeName, PayloadOf } from '@countersign/contract'
import { errorOf } from '../../shared/errors.ts'
import type { NamedPolicy } from '../requests/named-policy.ts'

/** An action, as a confirmation of it is requested. */
export interface RequiredAction {
  readonly actionType: string
  readonly actionPayload: Readonly<Record<string, unknown>>
  /** The tenant in which the approval is asked for; absent or `null` for none. */
  readonly tenant?: string | null | undefined
}

/** The approval that a gate asks for. `confirmations.initiate` and `approvalRequests.start` take it, with the caller. */
export interface RequiredApproval {
  readonly actionType: ActionTypeName
  readonly actionPayload: PayloadOf<ActionTypeName>
  /** The name of the gate. */
  readonly operation: string
  readonly tenant: string | null
  /** The policy of the approval request to ask for; `null` if the caller approves alone. */
  readonly policy: NamedPolicy | null
}

/** A gate asks for an approval, and the call names none. Repeat it with the id of an approval of `details`. */
export class ConfirmationRequired extends errorOf('CONFIRMATION_REQUIRED') {
  readonly details: RequiredApproval

  constructor(
    { actionType, actionPayload, tenant = null }: RequiredAction,
    operation: string,
    policy: NamedPolicy | null = null,
  ) {
    super()
    // The service checks the payload when somebody asks for the approval.
    this.details = { actionType, actionPayload, operation, tenant, policy }
  }
}
