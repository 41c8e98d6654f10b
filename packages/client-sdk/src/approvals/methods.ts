import type { Output } from '@countersign/contract'
import type { ActionMethod, CallOptions, Method, MethodWithoutInput, ObtainApprovalOptions } from '../http/call.ts'
import type { DeviceSigner, PendingConfirmation } from '../identity/devices/device-signer.ts'
import type { RequiredAction } from '../shared/errors/countersign-error.ts'
import type { ApproveOptions } from './approve-confirmation.ts'
import type {
  RequestedApprovals,
  RequestedConfirmation,
  SettledApprovalRequest,
  SettledConfirmation,
} from './request-decision.ts'

/** A confirmation with its status. `actionType` determines the type of `actionPayload`. */
export type Confirmation = Output<'confirmations.status'>

export interface RejectOptions extends CallOptions {
  /**
   * The person did not ask for the action. Ends the session that asked, and `sessionEnded` says whether it did. In a vote, no
   * session ends, and the host gets a notice. Needs a session of a trusted device.
   */
  readonly notMe?: boolean
}

/** Actions that a person confirms on a registered device. */
export interface ConfirmationMethods {
  /** Requests the confirmation of an action. `await requested.settled()` waits. Show `requested.matchNumber` if it is there. */
  readonly request: ActionMethod<'confirmations.initiate', RequestedConfirmation>
  /**
   * Waits for the decision on a confirmation by its id, for example after a reload; as `RequestedConfirmation.settled`.
   * `options.timeout` limits the wait. A client with `events` learns of the decision at once, unless `options` has a token.
   */
  settled(confirmationId: string, options?: CallOptions): Promise<SettledConfirmation>
  /**
   * Asks whoever a gate names: the phone of this user, or several people if the action has a `policy`. Resolves with the id that
   * the repeated call carries, in the header `Confirmation-Id` of your own service. If `signal` aborts, the phones stop asking.
   * @throws CountersignError `CONFIRMATION_REJECTED`, `CONFIRMATION_EXPIRED`, `TIMEOUT` after `options.timeout`
   */
  requestApproval(
    action: RequiredAction,
    options?: ObtainApprovalOptions & Pick<CallOptions, 'token' | 'signal'>,
  ): Promise<string>
  /** Lists the confirmations that wait for the signature of this device, the newest first. Needs a session of the device. */
  readonly pending: MethodWithoutInput<'confirmations.pending'>
  /**
   * Signs a confirmation with this device, once, in a session of it. Show the person the same object that you pass here. If it says
   * `numberMatching`, pass the number of the page, which the person types, as `matchNumber`.
   * @throws CountersignError `CHALLENGE_MISMATCH` if the challenge does not belong to the action shown; nothing is signed
   */
  approve(
    confirmation: PendingConfirmation,
    signer: DeviceSigner,
    options?: ApproveOptions,
  ): Promise<Output<'confirmations.verify'>>
  /** Rejects a confirmation, given by its id or as listed. Any session of the user can reject. */
  reject(
    confirmation: string | Pick<PendingConfirmation, 'confirmationId'>,
    reason?: string,
    options?: RejectOptions,
  ): Promise<Output<'confirmations.reject'>>
  /** Withdraws a confirmation that a session of this user asked for, while nobody has decided. It then reads `expired`. */
  readonly withdraw: Method<'confirmations.withdraw'>
  /**
   * Lists what this user was asked to confirm, the newest first. A session of a trusted device or passkey reads everything, any
   * other what it asked for itself. `nextCursor` is the `cursor` of the next page.
   */
  readonly list: MethodWithoutInput<'confirmations.list'>
  /** Reads a confirmation and its current status. */
  readonly status: Method<'confirmations.status'>
  /** Gets the receipt of an approved confirmation, which anyone can verify offline with `verifyReceipt`. */
  readonly receipt: Method<'confirmations.receipt'>
  /** Requests a confirmation as `request` does, and resolves with the plain response. */
  readonly initiate: ActionMethod<'confirmations.initiate'>
  /** Sends a signature that is made already, without any check. `approve` makes and sends one. */
  readonly sendApproval: Method<'confirmations.verify'>
}

/** Actions that several other people approve. The approvers use `confirmations.pending` and `confirmations.approve`. */
export interface ApprovalRequestMethods {
  /** Asks every user who can approve this type, as its policy says. `await requested.settled()` waits, and has the votes. */
  readonly request: ActionMethod<'approvals.start', RequestedApprovals>
  /** Waits for the decision on an approval request by its id, as `confirmations.settled` waits. */
  settled(approvalId: string, options?: CallOptions): Promise<SettledApprovalRequest>
  /** Asks as `request` does, and resolves with the plain response. */
  readonly start: ActionMethod<'approvals.start'>
  /**
   * Lists the requests that this user started, the newest first. A session of a trusted device or passkey reads everything, any
   * other what it asked for itself. `nextCursor` is the `cursor` of the next page.
   */
  readonly list: MethodWithoutInput<'approvals.list'>
  /** Reads an approval request: as its requester, or as a user who was asked. */
  readonly read: Method<'approvals.read'>
  /** Withdraws an approval request of this user while approvals are missing. It then reads `expired`. */
  readonly withdraw: Method<'approvals.withdraw'>
  /**
   * Stops a request for good, as a user who was asked, from a trusted device or passkey. It then reads `rejected`, and all who are
   * concerned see who stopped it, and why.
   */
  readonly stop: Method<'approvals.stop'>
}

/** The public keys of receipts. */
export interface ReceiptMethods {
  /** Lists the keys as a JWK set, retired and revoked keys included. Pass the set to `verifyReceipt`, and keep it. */
  readonly keys: MethodWithoutInput<'receipts.keys'>
}
