import { seconds } from '../../shared/clock.ts'
import { Conflict, Forbidden, Gone, NotFound, RateLimited } from '../../shared/errors.ts'

/** No policy says who approves actions of this type, and how many. */
export class NoApprovalPolicy extends Conflict {
  static readonly code = 'no_approval_policy'
  override readonly code = NoApprovalPolicy.code
  constructor() {
    super('The action type has no approval policy')
  }
}

/** Fewer users than the policy needs could approve the request. */
export class TooFewApprovers extends Conflict {
  static readonly code = 'too_few_approvers'
  override readonly code = TooFewApprovers.code
  constructor() {
    super('Too few users can approve this action')
  }
}

/** The requester already has the most open requests that are allowed (`Options.openApprovalRequestsPerUser`). */
export class TooManyApprovalRequests extends RateLimited {
  static readonly code = 'too_many_approval_requests'
  override readonly code = TooManyApprovalRequests.code
  constructor() {
    super(seconds(30))
  }
}

/** No approval request has this id, or the caller must not know of it. */
export class ApprovalNotFound extends NotFound {
  static readonly code = 'approval_not_found'
  override readonly code = ApprovalNotFound.code
  constructor() {
    super('Approval request not found')
  }
}

/** The request has too few approvals that count, or somebody rejected it. */
export class ApprovalNotApproved extends Conflict {
  static readonly code = 'approval_not_approved'
  override readonly code = ApprovalNotApproved.code
  constructor() {
    super('Approval request is not approved')
  }
}

/** The key has approved the request before for another user, or is the key of a device of the requester. */
export class SameKey extends Forbidden {
  static readonly code = 'same_key'
  override readonly code = SameKey.code
  constructor() {
    super('The key of this device cannot approve this request')
  }
}

/** The redeeming service expects another policy than the request has. */
export class OtherPolicy extends Conflict {
  static readonly code = 'other_policy'
  override readonly code = OtherPolicy.code
  constructor() {
    super('Approval request is of another policy')
  }
}

/** The request was not redeemed in time (`Options.approvalRequestLifetime`). */
export class ApprovalExpired extends Gone {
  static readonly code = 'approval_expired'
  override readonly code = ApprovalExpired.code
  constructor() {
    super('Approval request expired')
  }
}

/** The request was redeemed before. */
export class ApprovalRedeemed extends Gone {
  static readonly code = 'approval_redeemed'
  override readonly code = ApprovalRedeemed.code
  constructor() {
    super('Approval request already redeemed')
  }
}
