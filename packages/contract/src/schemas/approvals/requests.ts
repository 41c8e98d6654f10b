import * as z from 'zod'
import { isVisible } from '../../display/readable.ts'
import { approvalStatuses } from '../../vocabulary.ts'
import { extended } from '../extended.ts'
import { oneOf, text, timestamp } from '../fields.ts'
import { anyActionWith } from './confirmations.ts'
import { askingMembers, displays, usedAction, usingMembers } from './statement.ts'

/** The schema bounds the length only: an id of another form names no request. */
const approvalId = text(1, 255, 'must be the id of an approval request')
const permission = text(1, 255, 'must be the permission of the policy')

const takesCount = 'must be a whole number from 1 to 20'
/** Zero is refused: it never means that no approval is needed. */
const count = z.int({ error: takesCount }).min(1, { error: takesCount }).max(20, { error: takesCount })

/** The policy as a service states it: the digest, the groups, or permission and count if one group applies. */
const statedPolicy = {
  permission: permission.optional(),
  count: count.optional(),
  groups: z
    .literal('none')
    .or(z.array(z.object({ permission, count })).min(1))
    .optional(),
  digest: text(1, 64, 'must be the digest of a policy').optional(),
}

const state = {
  approvalId: z.string(),
  status: oneOf(approvalStatuses),
  approvals: z.int(),
  count: z.int(),
  expiresAt: timestamp,
  /** The time at which the request was withdrawn, which then reads `expired`; `null` for any other. */
  withdrawnAt: timestamp.nullable(),
}

const group = { permission: z.string(), count: z.int(), approvals: z.int() }

/** The state of a request with the groups of the policy that it was started under; no groups if the policy needs nobody. */
const stateInGroups = {
  ...state,
  /** Each group has the approvals that count in it at this moment, and needs `count`. One approval counts in one group. */
  groups: z.array(z.object(group)),
}

/** A user in a request. The name is `null` after the user was deleted. */
const personInRequest = { id: z.int(), name: z.string().nullable() }

/** The state of a request for the requester and those who were asked. */
const stateForPeople = {
  ...stateInGroups,
  /** As for services, and the name of each group for people by language (BCP 47), if it has one. Nobody signs the name. */
  groups: z.array(z.object({ ...group, label: extended(z.record(z.string(), z.string())) })),
  /** The user who rejected or stopped the request, and when; `null` for any other request. */
  stoppedBy: extended(z.object({ ...personInRequest, at: timestamp }).nullable()),
  /** Why the request was rejected or stopped; `null` without a reason, and after the user who gave it was deleted. */
  reason: extended(z.string().nullable()),
  /** The approvals, the earliest first. `counts`: whether the approval can count now, or was used. */
  votes: extended(z.array(z.object({ ...personInRequest, at: timestamp, counts: z.boolean() }))),
  requestedBy: extended(z.object(personInRequest)),
  /** The words that the approvers sign, by language (BCP 47). */
  display: extended(displays),
}

const takesReason = 'must be text of 1 to 500 characters, at least one of them visible'
const reason = text(1, 500, takesReason).refine(isVisible, { error: takesReason })

const withdrawnRequest = z.object({ ...stateInGroups, status: z.literal('expired'), withdrawnAt: timestamp })

export const approvalRequestShapes = {
  'approvals.start': { input: anyActionWith(askingMembers), output: z.object(stateInGroups) },
  'approvals.read': { input: z.object({ approvalId }), output: z.object(stateForPeople) },
  'approvals.withdraw': { input: z.object({ approvalId }), output: withdrawnRequest },
  'approvals.stop': {
    input: z.object({ approvalId, reason }),
    output: z.object({ ...stateForPeople, status: z.literal('rejected') }),
  },
  'services.approval': { input: z.object({ approvalId }), output: z.object(stateInGroups) },
  'services.withdrawApproval': { input: z.object({ approvalId }), output: withdrawnRequest },
  'services.redeemApproval': {
    input: z.object({ approvalId, ...usedAction, ...statedPolicy, ...usingMembers }),
    output: z.object({ ...state, redeemedAt: timestamp, receipts: z.array(z.string()) }),
  },
} as const
