import type { ActionInput, ActionTypeName, Input, Output } from '@countersign/contract'
import { DECISION_TIMEOUT, pause, within } from '../shared/time/deadline.ts'
import type { Milliseconds, Seconds } from '../shared/time/units.ts'
import { type ServiceOptions, serviceCall } from './service-call.ts'

/** A confirmation as a service reads it. */
export type ServiceConfirmation = Output<'services.confirmation'>

/** A confirmation with a final status. */
export type SettledServiceConfirmation = ServiceConfirmation & {
  readonly status: Exclude<ServiceConfirmation['status'], 'pending'>
}

/** The options of a wait. */
export interface WaitOptions {
  readonly signal?: AbortSignal
  /** The time after which the wait fails with `TIMEOUT`; 10 minutes by default. */
  readonly timeout?: Milliseconds
}

/** The approvals and sessions of users, for another service. All methods reject with `CountersignError`; see `serviceCode`. */
export interface ServiceClient {
  /** Asks a user to confirm an action. Needs the scope `confirmation.initiate:TYPE`. */
  initiate<T extends ActionTypeName>(input: ActionInput<'services.initiate', T>): Promise<Output<'services.initiate'>>
  /** Reads a confirmation. With `wait`, waits that long for the decision. Needs the scope `confirmation.read:TYPE`. */
  confirmation(
    input: { readonly confirmationId: string; readonly wait?: Seconds },
    options?: { readonly signal?: AbortSignal },
  ): Promise<ServiceConfirmation>
  /** Resolves once the user has decided, or the confirmation has expired. */
  settled(confirmationId: string, options?: WaitOptions): Promise<SettledServiceConfirmation>
  /**
   * Uses an approval, once, for exactly this action. With an `idempotencyKey`, a repeated call gets the same answer. Needs the
   * scope `confirmation.redeem:TYPE`.
   */
  redeem<T extends ActionTypeName>(input: ActionInput<'services.redeem', T>): Promise<Output<'services.redeem'>>
  /** Withdraws an undecided confirmation that this service asked for. Needs the scope `confirmation.initiate:TYPE`. */
  withdraw(input: Input<'services.withdraw'>): Promise<Output<'services.withdraw'>>
  /** Returns the receipt of an approved confirmation. A receipt is evidence, never a permission. */
  receipt(input: Input<'services.receipt'>): Promise<Output<'services.receipt'>>
  /** Reads an approval request of several people. Needs the scope `approval.read:TYPE`. */
  approval(input: Input<'services.approval'>): Promise<Output<'services.approval'>>
  /**
   * Uses the approvals of a request, once, for exactly this action. State the policy that this service knows, never one that the
   * requester sent: a request under another policy is refused. Needs the scope `approval.redeem:TYPE`.
   */
  redeemApproval<T extends ActionTypeName>(
    input: ActionInput<'services.redeemApproval', T>,
  ): Promise<Output<'services.redeemApproval'>>
  /** Withdraws a request while approvals are missing. Needs the scope `approval.redeem:TYPE`. */
  withdrawApproval(input: Input<'services.withdrawApproval'>): Promise<Output<'services.withdrawApproval'>>
  /** Opens a session for a user whom this service has signed in, for `client.adopt`. Needs exactly the scope `session.open`. */
  openSession(input: Input<'sessions.open'>): Promise<Output<'sessions.open'>>
}

/** The time of one request that waits for a decision. */
const WAIT: Seconds = 25
/** The time between two requests, also if the server is too busy to wait. */
const LEAST_INTERVAL: Milliseconds = 1000

const isSettled = (confirmation: ServiceConfirmation): confirmation is SettledServiceConfirmation =>
  confirmation.status !== 'pending'

/** Creates a client for a service that asks users for approvals and uses them, with its service token. */
export const createServiceClient = (options: ServiceOptions): ServiceClient => {
  const call = serviceCall(options)

  const confirmation: ServiceClient['confirmation'] = (input, { signal } = {}) =>
    call('services.confirmation', input, { wait: (input.wait ?? 0) * 1000, signal })

  return {
    initiate: (input) => call('services.initiate', input as Input<'services.initiate'>),
    confirmation,
    settled: (confirmationId, { signal, timeout = DECISION_TIMEOUT } = {}) =>
      within(timeout, signal, async (stop) => {
        for (;;) {
          const startedAt = performance.now()
          const state = await confirmation({ confirmationId, wait: WAIT }, { signal: stop })
          if (isSettled(state)) return state
          await pause(Math.max(0, LEAST_INTERVAL - (performance.now() - startedAt)), stop)
        }
      }),
    redeem: (input) => call('services.redeem', input),
    withdraw: (input) => call('services.withdraw', input),
    receipt: (input) => call('services.receipt', input),
    approval: (input) => call('services.approval', input),
    redeemApproval: (input) => call('services.redeemApproval', input),
    withdrawApproval: (input) => call('services.withdrawApproval', input),
    openSession: (input) => call('sessions.open', input),
  }
}
