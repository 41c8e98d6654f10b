import { seconds } from '../../shared/clock.ts'
import { errorOf } from '../../shared/errors.ts'

/** Fewer users than the policy needs could approve the request. */
export class TooFewApprovers extends errorOf('too_few_approvers') {}

/** The requester already has the most open requests that are allowed (`Options.openApprovalRequestsPerUser`). */
export class TooManyApprovalRequests extends errorOf('too_many_approval_requests') {
  constructor() {
    super(seconds(30))
  }
}

/** No approval request has this id, or the caller must not know of it. */
export class ApprovalNotFound extends errorOf('approval_not_found') {}

/** An approval that was given and does not count. */
export interface UncountedApproval {
  readonly userId: number
  readonly confirmationId: string
  readonly reason: UncountedReason
}

export type UncountedReason =
  | 'voided'
  | 'user_unknown'
  | 'user_disabled'
  | 'user_locked'
  | 'permission_missing'
  | 'delegation_ended'
  /** The requester, or a delegate of the requester. */
  | 'requester'
  | 'same_person'
  | 'same_key'
  | 'kind_of_key'
  | 'key_removed'
  | 'key_not_trusted'
  /** A service that is bound to other tenants brought the device or passkey. */
  | 'key_of_another_tenant'
  | 'signed_otherwise'
  | 'group_complete'

/** The request has too few approvals that count, or somebody rejected it. */
export class ApprovalNotApproved extends errorOf('approval_not_approved') {
  /** The approvals that were given and do not count, each with the reason. For the host, not for the requester. */
  readonly uncounted: readonly UncountedApproval[]

  constructor(uncounted: readonly UncountedApproval[] = []) {
    super()
    this.uncounted = uncounted
  }
}

/** The policy of the request accepts no passkey, or no synced passkey. */
export class PasskeyNotAdmitted extends errorOf('passkey_not_admitted') {}

/** The key has approved the request before for another user, or is the key of a device of the requester. */
export class SameKey extends errorOf('same_key') {}

/** The redeeming service expects another policy than the request has. */
export class OtherPolicy extends errorOf('other_policy') {}

/** The request was not redeemed in time (`Options.approvalRequestLifetime`), or it was withdrawn. */
export class ApprovalExpired extends errorOf('approval_expired') {}

/** The request was rejected or stopped; or it has all its approvals or was redeemed, so that it cannot be withdrawn. */
export class ApprovalDecided extends errorOf('approval_decided') {}

/** The request was redeemed before somebody wanted to stop it. */
export class ApprovalUsed extends errorOf('approval_used') {}

/** The request was redeemed before. */
export class ApprovalRedeemed extends errorOf('approval_redeemed') {}
