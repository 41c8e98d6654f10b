import type { ConfirmationStatus, KeyAlgorithm } from '@countersign/contract'
import { type Bound, isSameBound, isWithin } from '../../identity/records/bound.ts'
import type { PasskeyUse } from '../../identity/records/passkey.ts'
import type { Instant, Milliseconds } from '../../shared/clock.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { PageQuery } from '../../shared/list-page.ts'
import type { LiveApproval } from './live-change.ts'

/** The assertion of a passkey that approved (WebAuthn Level 3 §7.2). Bytes are base64url without padding. */
export interface ApprovalAssertion {
  readonly authenticatorData: string
  readonly clientDataJSON: string
  /** The origin of the page that showed the action. */
  readonly origin: string
  readonly rpId: string
  /** True if the passkey was backed up at the approval, which means that it is synced between devices. */
  readonly backedUp: boolean
}

/** The signature that approved a confirmation, and the key that verifies it. Stored with the approval, and never changed. */
export interface Evidence {
  /** The bytes of the signature as sent, in base64url. */
  readonly signature: string
  readonly algorithm: KeyAlgorithm
  /** The signed bytes: those of the challenge text, or the 64 that it encodes; of a passkey, the data that WebAuthn signs. */
  readonly over: 'text' | 'bytes' | 'assertion'
  /** `null` for the signature of a device. */
  readonly assertion: ApprovalAssertion | null
  readonly approvedAt: Instant
  /** The public key of the device or passkey at the approval: SPKI in PEM. */
  readonly publicKey: string
  /** The SHA-256 thumbprint of the key (RFC 7638). */
  readonly keyThumbprint: string
}

/** An action that needs the signature of a device of the user. Pending until the user decides, or until `expiresAt`. */
export interface Confirmation {
  /** `conf_` and a UUID. */
  readonly id: string
  readonly userId: number
  /** The tenant of the statement, for lists and filters; `null` for none. */
  readonly tenant: string | null
  /** The bound of the session that asked; of a vouching, the bound of the device or passkey that it is about. */
  readonly boundTo: Bound
  /** One of the built-in types, or a registered action type. */
  readonly actionType: string
  /** The version of a registered action type; `null` for a built-in type. */
  readonly actionTypeVersion: string | null
  /** The JSON of the payload, byte for byte as it was received; encrypted. */
  readonly payload: SealedField
  /** 64 random bytes as padded base64; encrypted. The challenge is computed from them. */
  readonly nonce: SealedField
  /** The challenge that the device signs. It covers the statement (`statementOf`). */
  readonly challenge: string
  /** JSON of the members of the statement that are in no other column (`StoredStatement`); encrypted. */
  readonly statement: SealedField
  /** The approval request that this confirmation belongs to; `null` for a confirmation of its own. */
  readonly approvalId: string | null
  /** The user for whom a delegate votes; `null` for every other confirmation. The signed statement decides. */
  readonly delegatedBy: number | null
  /** The client that asked, as JSON of a `SeenClient`; encrypted. `null` if none was recorded. */
  readonly requestedFrom: SealedField | null
  /** The session that asked; `null` for a confirmation that no session asked for. */
  readonly requestedBy: string | null
  /** The name of the service that asked, in lower case; `null` if no service asked. */
  readonly initiatedBy: string | null
  /** The number that the asking page shows and that the user types on the device; encrypted. `null` without number matching. */
  readonly matchNumber: SealedField | null
  readonly wrongMatchNumbers: number
  /** `expired` is stored for a withdrawn confirmation only. For any other confirmation, the clock decides it. */
  readonly status: ConfirmationStatus
  readonly wrongSignatures: number
  /** The device that approved. */
  readonly deviceId: string | null
  /** The credential id of the passkey that approved. */
  readonly passkeyId: string | null
  /** `null` until the approval. */
  readonly evidence: Evidence | null
  /** The time at which the approval was used. An approval is used at most once. */
  readonly consumedAt: Instant | null
  /** The consumer, as named at the use. */
  readonly consumedBy: string | null
  /** The idempotency key of the use, if one was given. */
  readonly consumedKey: string | null
  /** The receipt that a repeated use gets again; encrypted. `null` if no use can be repeated, or if the host had no receipts. */
  readonly consumedReceipt: SealedField | null
  /** The time at which an unused approval became void, because the account was locked or disabled, or after a restore. */
  readonly voidedAt: Instant | null
  /** The time at which the requester withdrew the confirmation. */
  readonly withdrawnAt: Instant | null
  /** The reason for a rejection; encrypted. */
  readonly rejectReason: SealedField | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly updatedAt: Instant
}

/** Returns whether something with this bound reaches a confirmation: it is in a tenant, or vouches for the same bound. */
export const reachesConfirmation = (tenants: Bound, { tenant, boundTo }: Pick<Confirmation, 'tenant' | 'boundTo'>): boolean =>
  isWithin(tenants, tenant) || (tenant === null && boundTo !== null && isSameBound(tenants, boundTo))

/** Returns whether a confirmation counts towards the limit of its user. What services and other users asked for does not. */
export const countsForUser = ({ approvalId, initiatedBy }: Pick<Confirmation, 'approvalId' | 'initiatedBy'>): boolean =>
  approvalId === null && initiatedBy === null

/** Returns whether a service may know of a confirmation: no other service and no approval request asked for it. */
export const isOpenTo = (
  service: string,
  { approvalId, initiatedBy }: Pick<Confirmation, 'approvalId' | 'initiatedBy'>,
): boolean => approvalId === null && (initiatedBy === null || initiatedBy === service)

/** Returns whether an approval could be used at `since`. The age of a vote does not matter: its request may be used later. */
export const isYoungEnough = (
  { approvalId }: Pick<Confirmation, 'approvalId'>,
  approvedAt: Instant,
  maxAge: Milliseconds,
  since: Instant,
): boolean => approvalId !== null || approvedAt + maxAge >= since

/** Returns the ids of the approval requests whose votes are among confirmations. */
export const requestsOf = (confirmations: readonly Pick<Confirmation, 'approvalId'>[]): ReadonlySet<string> =>
  new Set(confirmations.flatMap(({ approvalId }) => approvalId ?? []))

/** Returns the status at `now`. A pending confirmation expires in the millisecond of `expiresAt`. */
export const statusAt = (confirmation: Pick<Confirmation, 'status' | 'expiresAt'>, now: Instant): ConfirmationStatus =>
  confirmation.status === 'pending' && now >= confirmation.expiresAt ? 'expired' : confirmation.status

/** A wrong signature or a wrong number in an attempt to approve. */
export interface WrongAttempt extends Pick<Confirmation, 'id' | 'userId'> {
  readonly counter: 'wrongSignatures' | 'wrongMatchNumbers'
  readonly limit: number
  readonly now: Instant
}

/** An approval by a device of the user, in a session that the device opened, or by a passkey of the user, in any session. */
export type Approval = {
  readonly id: string
  readonly userId: number
  readonly sessionId: string
  /** Stored by the statement that approves. */
  readonly evidence: Evidence
  readonly now: Instant
} & ({ readonly deviceId: string } | { readonly passkey: Pick<PasskeyUse, 'id' | 'signCount' | 'backedUp'> })

/** The result of an approval; see `ConfirmationStore.approve`. */
export type ApprovalOutcome =
  | 'approved'
  | 'session_ended'
  | 'device_removed'
  | 'passkey_removed'
  | 'not_trusted'
  | 'not_pending'
  | 'counter'
  | 'same_key'

/** Selects finished confirmations: nobody can approve or use them, and they belong to no open approval request. */
export interface FinishedQuery extends Pick<ConfirmationPageQuery, 'tenant'> {
  /** Only confirmations that were created before this time. */
  readonly before: Instant
  /** Confirmations that are pending and expired at this time are finished. */
  readonly now: Instant
}

/** The question for a page of finished confirmations. */
export interface FinishedPage extends FinishedQuery {
  /** The last confirmation of the previous page; `undefined` for the first page. */
  readonly after: Pick<Confirmation, 'createdAt' | 'id'> | undefined
  readonly limit: number
}

/** The question for a page of the confirmations of all users. */
export interface ConfirmationPageQuery extends PageQuery {
  /** Only confirmations with this status at `now`. */
  readonly status?: ConfirmationStatus | undefined
  /** Only confirmations of this type. */
  readonly actionType?: string | undefined
  /** Only confirmations in this tenant. */
  readonly tenant?: string | undefined
  /** Only confirmations that something with this bound reaches (`reachesConfirmation`); `null` or absent for all. */
  readonly reachedBy?: Bound | undefined
  /** Only confirmations that this session asked for. */
  readonly requestedBy?: string | undefined
  readonly now: Instant
}

/** The store of confirmations. Their ends are in `ApprovalStore`. */
export interface ConfirmationStore {
  /**
   * Adds a pending confirmation. Returns `false` if the user has `pendingLimit` such confirmations of the same initiator, is
   * disabled, locked or erased, or if the session that asks is not live; also for concurrent calls. Vouchings, votes, other bounds
   * and, with `countedTenant`, other tenants do not count.
   */
  initiate(confirmation: Confirmation, pendingLimit: number, countedTenant?: string | null): Promise<boolean>
  /** Returns the confirmation with this id, of any user. The caller checks who may know of it. */
  byId(id: string): Promise<Confirmation | undefined>
  /**
   * Returns the user's pending, unexpired confirmations, newest first. Of the votes, which other users start, it returns the newest
   * `requestLimit`. With tenants, returns and counts only what something with this bound reaches (`reachesConfirmation`).
   */
  pendingOfUser(userId: number, now: Instant, requestLimit?: number, tenants?: Bound): Promise<readonly Confirmation[]>
  /** Returns what waits and will expire: the user's pending confirmations, and the open approval requests that the user started. */
  expiring(userId: number, now: Instant): Promise<readonly LiveApproval[]>
  /**
   * Approves the user's confirmation, and records that the device or the passkey was used. One transaction.
   *
   * - `approved`: of concurrent approvals and rejections, exactly one succeeds.
   * - `session_ended`: the session has ended, or belongs to another user. Checked first. Its row stays locked until the commit.
   * - `device_removed`, `passkey_removed`: the user has no such active device or no such passkey.
   * - `not_trusted`: the device or passkey is on probation (`isTrusted`), or does not reach the confirmation
   *   (`reachesConfirmation`).
   * - `not_pending`: the confirmation is not pending, or `now` is not before `expiresAt`.
   * - `counter`: the counter of the passkey does not rise (see `PasskeyStore.use`). It is recorded only with an approval.
   * - `same_key`: the key has approved the same approval request before, or is or was a key of its requester.
   */
  approve(approval: Approval): Promise<ApprovalOutcome>
  /** Returns a page of the confirmations of all users, newest first. For administrators only. */
  page(query: ConfirmationPageQuery): Promise<readonly Confirmation[]>
  /** Returns every confirmation of a user, oldest first. */
  allOfUser(userId: number): Promise<readonly Confirmation[]>
  /** Returns a page of finished confirmations, oldest first, by ascending ids within a millisecond. */
  finished(page: FinishedPage): Promise<readonly Confirmation[]>
  countFinished(query: FinishedQuery): Promise<number>
  /** Deletes the confirmations with these ids that are finished. Returns the number of deleted rows. One atomic statement. */
  deleteFinished(ids: readonly string[], query: FinishedQuery): Promise<number>
  /** Counts a wrong signature or number of a pending confirmation. At `limit`, rejects it and returns `true`. One statement. */
  countWrong(attempt: WrongAttempt): Promise<boolean>
}
