import { fromCheck, storableText } from '../../shared/input-schemas.ts'
import { checkCaller } from '../host-field-checks.ts'
import type { Bound } from '../records/bound.ts'
import type { User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'

/** The user who grants permissions, if the host gates grants (option `gates`, `user.grant`). */
export interface GrantedBy {
  /** The user who grants. Without a gate, the caller is not needed. */
  readonly caller?: { readonly userId: number; readonly sessionId?: string; readonly tenants?: Bound } | undefined
  /** The caller's approval of exactly this grant. */
  readonly confirmationId?: string | undefined
}

export const grantedByShape = {
  caller: fromCheck(checkCaller).optional(),
  confirmationId: storableText.optional(),
}

/** Permissions that a user is to get. */
export interface Grant {
  /** The user who grants; `undefined` if the host names none. */
  readonly userId: number | undefined
  readonly confirmationId: string | undefined
  readonly email: string
  readonly granted: readonly string[]
  /** The user before the grant; `undefined` for a new user. */
  readonly before: Pick<User, 'id' | 'permissions' | 'version'> | undefined
}

/** Runs in the transaction that grants permissions. An error prevents the grant. Approvals check the gate `user.grant` here. */
export type OnGrant = (tx: IdentityStores, grant: Grant) => Promise<void>

/** Returns the user and the approval of a grant. */
export const approvalOf = ({ caller, confirmationId }: GrantedBy): Pick<Grant, 'userId' | 'confirmationId'> => ({
  userId: caller?.userId,
  confirmationId,
})
