import type { Input, Output } from '@countersign/contract'
import type { Call, CallOptions } from '../http/call.ts'

/** The response to an asking, as far as all subjects have the same members. */
interface Asked {
  readonly expiresAt: string
  readonly matchNumber?: string | undefined
}

export interface State {
  readonly status: string
}

/** A thing that a client requests and waits for: a confirmation of the person alone, or an approval request to several people. */
export interface ApprovalSubject<A = Asked, S extends State = State> {
  ask(input: object, options?: CallOptions): Promise<A>
  /** Returns the id of what was asked for. The repeated call of a gated operation carries the id as `Confirmation-Id`. */
  idOf(asked: A): string
  read(id: string, options?: CallOptions): Promise<S>
  withdraw(id: string, options?: CallOptions): Promise<unknown>
}

/** A confirmation or an approval request with a final status. */
export type Settled<S extends State> = S & { readonly status: Exclude<S['status'], 'pending'> }

export interface ApprovalSubjects {
  readonly confirmation: ApprovalSubject<Output<'confirmations.initiate'>, Output<'confirmations.status'>>
  readonly request: ApprovalSubject<Output<'approvals.start'>, Output<'approvals.read'>>
}

export const subjectsOf = (call: Call): ApprovalSubjects => ({
  confirmation: {
    ask: (input, options) => call('confirmations.initiate', input as Input<'confirmations.initiate'>, options),
    idOf: ({ confirmationId }) => confirmationId,
    read: (confirmationId, options) => call('confirmations.status', { confirmationId }, options),
    withdraw: (confirmationId, options) => call('confirmations.withdraw', { confirmationId }, options),
  },
  request: {
    ask: (input, options) => call('approvals.start', input as Input<'approvals.start'>, options),
    idOf: ({ approvalId }) => approvalId,
    read: (approvalId, options) => call('approvals.read', { approvalId }, options),
    withdraw: (approvalId, options) => call('approvals.withdraw', { approvalId }, options),
  },
})
