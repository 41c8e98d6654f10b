import type { Output } from '@countersign/contract'
import type { CallOptions } from '../http/call.ts'

/** Waits for the decision on a confirmation. The client connects this function with its confirmations. */
export type AwaitDecision = (confirmationId: string, options?: CallOptions) => Promise<Output<'confirmations.status'>>

/** A vouching that waits for the decision of a trusted device of the user. */
export interface Vouching {
  readonly confirmationId: string
  /**
   * The number that the user types on the trusted device. `null` in a session that could approve the vouching: there, the new
   * device shows the number (`devices.vouching`), and this session types it.
   */
  readonly matchNumber: string | null
  /**
   * Resolves when the vouching is approved, which makes the device or passkey trusted, rejected or expired. A rejection also ends
   * the session that registered it, so the client may get a 401 instead. `options.timeout` limits the wait.
   */
  settled(options?: CallOptions): Promise<Output<'confirmations.status'>>
}

/** The trust of a device or passkey that was just registered. */
export interface RegisteredTrust {
  /** True if the device can approve now; for a passkey, if its logins count as fresh. */
  readonly trusted: boolean
  /** The vouching for a device or passkey on probation, if one was started. */
  readonly vouching?: Vouching
}

type Registered = Partial<Pick<Output<'devices.finishRegistration'>, 'confirmationId' | 'matchNumber'>>

/** Adds the trust, and the vouching if one was started, to the output of a registration. */
export const withVouching = <R extends Registered>(
  awaitDecision: AwaitDecision,
  registered: R,
  { trusted = false }: { readonly trusted?: boolean | undefined },
  options: CallOptions | undefined,
): R & RegisteredTrust => {
  const { confirmationId, matchNumber } = registered
  if (confirmationId === undefined || matchNumber === undefined) return { ...registered, trusted }
  const settled = (later?: CallOptions) => awaitDecision(confirmationId, { token: options?.token, ...later })
  return { ...registered, trusted, vouching: { confirmationId, matchNumber, settled } }
}
