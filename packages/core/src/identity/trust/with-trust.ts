import type { Instant } from '../../shared/clock.ts'
import { isTrusted, type Trust } from './trust.ts'

/** A device or passkey, with whether it is trusted at the time of the answer. */
export type WithTrust<T extends Trust> = T & { readonly trusted: boolean }

/** Returns the device or passkey with whether it is trusted at `now`. */
export const withTrust = <T extends Trust>(one: T, now: Instant): WithTrust<T> => ({ ...one, trusted: isTrusted(one, now) })
