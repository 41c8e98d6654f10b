import type { Input, Output } from '@countersign/contract'
import type { CallOptions } from '../http/call.ts'
import type { DeviceSigner } from '../identity/devices/device-signer.ts'
import type { PendingConfirmation } from '../shared/pending-confirmation.ts'
import type { SettledConfirmation } from './await-settled.ts'
import type { RequestedConfirmation } from './request-confirmation.ts'

/** Actions that a person confirms on a device of theirs. */
export interface ConfirmationMethods {
  /** Asks for an action to be confirmed. What it resolves with can be waited for: `await requested.settled()`. */
  request(input: Input<'confirmations.initiate'>, options?: CallOptions): Promise<RequestedConfirmation>
  /**
   * Waits for a confirmation of which only the id is left, after a reload say; as `RequestedConfirmation.settled`.
   *
   * @param options `timeout` in milliseconds, ten minutes by default.
   */
  settled(confirmationId: string, options?: CallOptions): Promise<SettledConfirmation>
  /** On the device: what waits for its signature, the newest first. Needs a session of the device. */
  pending(input?: Input<'confirmations.pending'>, options?: CallOptions): Promise<Output<'confirmations.pending'>>
  /**
   * On the device: signs a confirmation as it was shown, once. Needs a session of this device. Show the person the very
   * object that is given here.
   * @throws CountersignError `CHALLENGE_MISMATCH` where its challenge does not belong to what it shows; nothing is signed
   */
  approve(confirmation: PendingConfirmation, signer: DeviceSigner, options?: CallOptions): Promise<Output<'confirmations.verify'>>
  /** Rejects a confirmation, by its id or as it was listed. Any session of the user may. */
  reject(
    confirmation: string | Pick<PendingConfirmation, 'confirmationId'>,
    reason?: string,
    options?: CallOptions,
  ): Promise<Output<'confirmations.reject'>>
  /** How a confirmation stands now. */
  status(input: Input<'confirmations.status'>, options?: CallOptions): Promise<Output<'confirmations.status'>>
  /** As `request`, and resolves with the answer alone. */
  initiate(input: Input<'confirmations.initiate'>, options?: CallOptions): Promise<Output<'confirmations.initiate'>>
  /** The call beneath `approve`: takes a signature as it is, and checks nothing. */
  verify(input: Input<'confirmations.verify'>, options?: CallOptions): Promise<Output<'confirmations.verify'>>
}
