import type { ActionInput, ActionTypeName, Input, Output } from '@countersign/contract'
import { DECISION_TIMEOUT, pause, within } from '../shared/time/deadline.ts'
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
  /** Milliseconds after which the wait fails with `TIMEOUT`; 10 minutes by default. */
  readonly timeout?: number
}

/** The approvals and sessions of users, for another service. All methods reject with `CountersignError`; see `serviceCode`. */
export interface ServiceClient {
  /** Asks a user to confirm an action. Needs the scope `confirmation.initiate:TYPE`. */
  initiate<T extends ActionTypeName>(input: ActionInput<'services.initiate', T>): Promise<Output<'services.initiate'>>
  /** Reads a confirmation. With `wait`, waits that many seconds for the decision. Needs the scope `confirmation.read:TYPE`. */
  confirmation(
    input: { readonly confirmationId: string; readonly wait?: number },
    options?: { readonly signal?: AbortSignal },
  ): Promise<ServiceConfirmation>
  /** Resolves once the user has decided, or the confirmation has expired. */
  settled(confirmationId: string, options?: WaitOptions): Promise<SettledServiceConfirmation>
  /**
   * Uses an approval, once, for exactly this action. With an `idempotencyKey`, the call is repeated if its answer is lost, and
   * a repeated call gets the same answer. Needs the scope `confirmation.redeem:TYPE`.
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
   * requester sent: a request under another policy is refused. An `idempotencyKey` works as for `redeem`. Needs the scope
   * `approval.redeem:TYPE`.
   */
  redeemApproval<T extends ActionTypeName>(
    input: ActionInput<'services.redeemApproval', T>,
  ): Promise<Output<'services.redeemApproval'>>
  /** Withdraws a request while approvals are missing. Needs the scope `approval.redeem:TYPE`. */
  withdrawApproval(input: Input<'services.withdrawApproval'>): Promise<Output<'services.withdrawApproval'>>
  /**
   * Opens a session for a user whom this service has signed in. The page of the user takes the tokens with `client.adopt`. Needs
   * exactly the scope `session.open`.
   */
  openSession(input: Input<'sessions.open'>): Promise<Output<'sessions.open'>>
}

/** Seconds of one request that waits for a decision. */
const WAIT = 25
/** Milliseconds between two requests, also if the server is too busy to wait. */
const LEAST_INTERVAL = 1000

const isSettled = (confirmation: ServiceConfirmation): confirmation is SettledServiceConfirmation =>
  confirmation.status !== 'pending'

const pathOf = (confirmationId: string) => `/internal/confirmations/${encodeURIComponent(confirmationId)}` as const

const requestPathOf = (approvalId: string) => `/internal/approvals/${encodeURIComponent(approvalId)}` as const

const isKeyed = ({ idempotencyKey }: Pick<Input<'services.redeem'>, 'idempotencyKey'>): boolean =>
  idempotencyKey !== undefined && idempotencyKey !== null

/** Creates a client for a service that asks users for approvals and uses them, with its service token. */
export const createServiceClient = (options: ServiceOptions): ServiceClient => {
  const call = serviceCall(options)

  const confirmation: ServiceClient['confirmation'] = ({ confirmationId, wait }, { signal } = {}) =>
    call({
      method: 'GET',
      path: `${pathOf(confirmationId)}${wait === undefined ? '' : `?wait=${wait}`}`,
      wait: (wait ?? 0) * 1000,
      signal,
    })

  return {
    initiate: (body) => call({ method: 'POST', path: '/internal/confirmations', body }),
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
    redeem: ({ confirmationId, ...body }) =>
      call({
        method: 'POST',
        path: `${pathOf(confirmationId)}/redeem`,
        body,
        isRepeatable: isKeyed(body),
      }),
    withdraw: ({ confirmationId }) => call({ method: 'POST', path: `${pathOf(confirmationId)}/withdraw`, body: {} }),
    receipt: ({ confirmationId }) => call({ method: 'GET', path: `${pathOf(confirmationId)}/receipt` }),
    approval: ({ approvalId }) => call({ method: 'GET', path: requestPathOf(approvalId) }),
    redeemApproval: ({ approvalId, ...body }) =>
      call({ method: 'POST', path: `${requestPathOf(approvalId)}/redeem`, body, isRepeatable: isKeyed(body) }),
    withdrawApproval: ({ approvalId }) => call({ method: 'POST', path: `${requestPathOf(approvalId)}/withdraw`, body: {} }),
    openSession: (body) => call({ method: 'POST', path: '/internal/sessions', body }),
  }
}
