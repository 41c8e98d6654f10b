import type { ActionInput, ActionOperation, ActionTypeName, Input, OperationName, Output, PayloadOf } from '@countersign/contract'
import type { Claims } from '../session/claims.ts'
import type { Digest } from '../shared/encoding/commitment.ts'
import type { RequiredAction } from '../shared/errors/countersign-error.ts'
import type { Uncounted } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'

export interface CallOptions {
  /** The token to present in place of the session's token. The call then neither uses nor renews the session of the client. */
  readonly token?: string | undefined
  /** Ends the call at any step, also during a prompt. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of the whole call; `Infinity` for none. The time of a signer's or browser's prompt does not count. */
  readonly timeout?: Milliseconds
  /**
   * Lets the call obtain an approval if a gate asks for one (`CONFIRMATION_REQUIRED`), and repeats it once. The time of the people
   * does not count. The call then also rejects with `CONFIRMATION_REJECTED` or `CONFIRMATION_EXPIRED`. If `signal` aborts
   * meanwhile, what was asked for is withdrawn.
   */
  readonly approval?: ObtainApprovalOptions
}

/** A confirmation that was requested for a gated call, or an approval request if the action has a `policy`. */
export interface RequestedApproval extends RequiredAction {
  /** The id that the repeated call sends: of the confirmation, or of the approval request. */
  readonly confirmationId: string
  /** The number that the person types on the device. `undefined` without number matching, and for an approval request. */
  readonly matchNumber: string | undefined
  readonly expiresAt: string
}

export interface ObtainApprovalOptions {
  /** Runs when the person, or the other people, can approve. Show the action, and `matchNumber` if it is there. */
  readonly onRequested?: (requested: RequestedApproval) => void | Promise<void>
  /** Has the person type the number of the page on the device. Approval requests have no number. */
  readonly numberMatching?: boolean
  /** The context that approvers see besides the action, such as the `reason` that a policy can require. */
  readonly context?: Input<'approvals.start'>['context']
  /** The time of the wait: ten minutes by default. Several people may need more. */
  readonly timeout?: Milliseconds
}

/** Calls an operation and resolves with its output, without the envelope. @throws CountersignError */
export type Call = <N extends OperationName>(name: N, input: Input<N>, options?: CallOptions) => Promise<Output<N>>

/** Runs a method of several steps with the signal and the time limit of `options`. @throws the errors of `within` */
export type InSteps = <T>(
  options: CallOptions | undefined,
  run: (step: CallOptions & { readonly signal: AbortSignal }, uncounted: Uncounted) => Promise<T>,
) => Promise<T>

/** The dependencies of methods with several steps. */
export interface StepDeps {
  readonly call: Call
  readonly inSteps: InSteps
  /** Returns the claims of the token that a step presents. They name the user, and the device of a device session. */
  readonly claims: (step: CallOptions) => Promise<Claims>
  readonly sha256: Digest
  readonly sha512: Digest
}

/** A method that calls one operation. Editors then show the members of input and output, not the names of types. */
export type Method<N extends OperationName, R = Output<N>> = (input: Input<N>, options?: CallOptions) => Promise<R>

/** A method that calls one operation for an action. The type of the action determines the type of its payload. */
export type ActionMethod<N extends ActionOperation, R = Output<N>> = <T extends ActionTypeName>(
  input: { actionType: T; actionPayload: PayloadOf<T> } & Omit<ActionInput<N, T>, 'actionType' | 'actionPayload'>,
  options?: CallOptions,
) => Promise<R>

/** A method that calls one operation without required input. The options may come first: `devices.list({ signal })`. */
export type MethodWithoutInput<N extends OperationName> = (
  input?: Input<N> | CallOptions,
  options?: CallOptions,
) => Promise<Output<N>>
