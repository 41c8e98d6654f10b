import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { OneTimeCode } from '../records/one-time-code.ts'
import { logRefusal } from '../refusals.ts'
import type { IdentityStores } from '../stores.ts'
import { hashOfCode } from './code-text.ts'

/** An enrolment code that was checked, and that is still to be spent. */
export interface CheckedEnrolmentCode {
  readonly userId: number
  readonly hash: string
}

/** Makes the error for an enrolment code that is unknown, used, expired, replaced, or of another user. */
const invalidEnrolmentCode = (): Invalid => new Invalid({ enrolmentCode: 'must be an unused enrolment code of this user' })

/** Returns why a user cannot register with a code at `now`; `undefined` for a usable code. */
const refusalOf = (code: OneTimeCode | undefined, userId: number, now: Instant) => {
  if (code === undefined) return 'unknown_code'
  if (code.userId !== userId) return 'other_user'
  if (code.kind !== 'enrolment') return 'wrong_kind'
  return code.expiresAt <= now ? 'expired' : undefined
}

/**
 * Checks an enrolment code when a registration begins. The registration keeps the hash, and spends the code when it finishes.
 * @throws Invalid naming `enrolmentCode`
 */
export const checkEnrolmentCode = async (
  { storage, logger }: Pick<BaseDeps, 'storage' | 'logger'>,
  { userId, code, now }: { readonly userId: number; readonly code: string; readonly now: Instant },
): Promise<CheckedEnrolmentCode> => {
  const hash = hashOfCode(code)
  const found = await storage.oneTimeCodes.byHash(hash)
  const refusal = refusalOf(found, userId, now)
  if (refusal === undefined) return { userId, hash }
  logRefusal(logger, 'one_time_code_refused', refusal, { userId })
  throw invalidEnrolmentCode()
}

/** Checks the enrolment code, if the user gave one, and returns its hash as the challenge stores it. @throws Invalid naming it */
export const checkGivenCode = async (
  deps: Pick<BaseDeps, 'storage' | 'logger'>,
  { userId, code, now }: { readonly userId: number; readonly code: string | undefined; readonly now: Instant },
): Promise<{ readonly enrolmentCodeHash?: string }> =>
  code === undefined ? {} : { enrolmentCodeHash: (await checkEnrolmentCode(deps, { userId, code, now })).hash }

/** Spends a checked code, in the transaction of the registration. Of concurrent registrations, exactly one gets `true`. */
export const spendEnrolmentCode = (
  tx: Pick<IdentityStores, 'oneTimeCodes'>,
  { userId, hash }: CheckedEnrolmentCode,
  now: Instant,
): Promise<boolean> => tx.oneTimeCodes.spend({ hash, kind: 'enrolment', userId, now })
