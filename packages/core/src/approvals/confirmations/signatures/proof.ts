import type { Bound } from '../../../identity/records/bound.ts'
import type { Approval, Confirmation, Evidence } from '../../records/confirmation.ts'

type OnlySigner<A> = A extends unknown ? Omit<A, 'id' | 'userId' | 'sessionId' | 'evidence' | 'now'> : never

/** The result of a valid signature: who signed, and the evidence to store. */
export interface Proof {
  readonly signer: OnlySigner<Approval>
  readonly evidence: Omit<Evidence, 'approvedAt'>
  /** The bound of the device or passkey that signed. */
  readonly tenants: Bound
  /** True for a device that must not approve by its key alone (`needsPasskey`). */
  readonly isTooWeak: boolean
}

/** Returns the proof if the signature is right for this confirmation; `undefined` if it is wrong. */
export type Prove = (confirmation: Pick<Confirmation, 'challenge' | 'tenant' | 'boundTo'>) => Promise<Proof | undefined>
