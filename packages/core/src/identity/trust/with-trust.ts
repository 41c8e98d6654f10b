import type { Instant } from '../../shared/clock.ts'
import { isTrusted, type Trust } from '../records/trust.ts'
import type { StartedVouching } from './vouching-port.ts'

/** A device or passkey, with whether it is trusted at the time of the answer. */
export type WithTrust<T extends Trust> = T & { readonly trusted: boolean }

/** A device or passkey that was just registered, with the vouching for it, if one was started. */
export type Registered<T extends Trust> = WithTrust<T> & { readonly vouching?: StartedVouching }

/** Returns the device or passkey with whether it is trusted at `now`. */
export const withTrust = <T extends Trust>(one: T, now: Instant): WithTrust<T> => ({ ...one, trusted: isTrusted(one, now) })
