import type { Instant, Milliseconds } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { RequestUse } from '../records/approval.ts'
import type { ApprovalRequest } from '../records/approval-request.ts'
import type { Confirmation } from '../records/confirmation.ts'
import type { ComparedAction } from './same-action.ts'

export type UseDeps = Pick<
  ApprovalDeps,
  'storage' | 'users' | 'clock' | 'options' | 'encryptionKeys' | 'random' | 'issueReceipt' | 'observer' | 'logger'
>

/** The policy as a caller states it: the digest, the groups, or permission and count if one group applies. */
export interface StatedPolicy {
  readonly digest?: string | undefined
  readonly groups?: 'none' | readonly { readonly permission: string; readonly count: number }[] | undefined
  readonly permission?: string | undefined
  readonly count?: number | undefined
}

/** The approval to use: the confirmation of a user, or a request to several people. */
export type ChosenSubject = ChosenConfirmation | ChosenRequest

export interface ChosenConfirmation {
  readonly confirmationId: string
  readonly userId: number
  /** The longest time since the approval; `Options.approvalMaxAge` by default, and never more. */
  readonly maxAge?: Milliseconds | undefined
}

export interface ChosenRequest {
  readonly requestId: string
  readonly isKnown: (request: ApprovalRequest) => boolean
}

/** The action that the caller is about to carry out, and the policy of a request as the caller knows it. */
export interface Wanted {
  readonly action: ComparedAction
  /** Absent for a caller who relies on the policy that the approvers signed and on the policy of the moment. */
  readonly policy?: StatedPolicy | undefined
}

type StoredUse = Pick<RequestUse, 'consumedBy' | 'consumedKey' | 'receipts' | 'now'>

/** The id of the confirmation or the request, the number of votes that it needs, and the time of its expiry. */
export type SubjectAnswer = Pick<ApprovalRequest, 'id' | 'count' | 'expiresAt'>

export interface CountedVotes {
  readonly votes: readonly Confirmation[]
  /** Stores the use, once. Returns `false`, and changes nothing, if something changed since the votes were counted. */
  storeUse(use: StoredUse): Promise<boolean>
}

/** A confirmation, with one vote and the policy "its user", or an approval request, with votes under the policy of its type. */
export interface Subject {
  readonly actionType: string
  readonly answer: SubjectAnswer
  /** The first use; `undefined` for an approval that was not used. */
  readonly used: { readonly at: Instant; readonly by: string | null; readonly key: string | null } | undefined
  readonly refusals: { readonly used: () => Error; readonly notApproved: () => Promise<Error> }
  /** Checks that a repeated use is of the same action, under the same policy. */
  requireSame(): Promise<void>
  /** Returns the votes of the first use, the earliest first. */
  usedVotes(): Promise<readonly Confirmation[]>
  /** Returns the votes that count for a use at `now`; `undefined` if it was used meanwhile. @throws the refusals of its kind */
  count(now: Instant): Promise<CountedVotes | undefined>
}
