import type { Instant } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import type { LoggedChange } from '../base-deps.ts'
import type { ChallengeSubjects } from '../records/challenge.ts'
import type { OneTimeCode } from '../records/one-time-code.ts'
import { logRefusal } from '../refusals.ts'
import { hashOfCode } from './code-text.ts'

/** Returns why a user cannot register with a code at `now`; `undefined` for a usable code. */
const refusalOf = (code: OneTimeCode | undefined, userId: number, now: Instant) => {
  if (code === undefined) return 'unknown_code'
  if (code.userId !== userId) return 'other_user'
  if (code.kind !== 'enrolment') return 'wrong_kind'
  return code.expiresAt <= now ? 'expired' : undefined
}

/**
 * Checks the enrolment code, if the user gave one, when a registration begins. Returns its hash as the challenge stores it: the end
 * of the registration spends the code. @throws Invalid naming `enrolmentCode`
 */
export const checkGivenCode = async (
  { storage, clock, logger }: LoggedChange,
  { userId, code }: { readonly userId: number; readonly code: string | undefined },
): Promise<Pick<ChallengeSubjects['passkey_registration'], 'enrolmentCodeHash'>> => {
  if (code === undefined) return {}
  const hash = hashOfCode(code)
  const refusal = refusalOf(await storage.oneTimeCodes.byHash(hash), userId, clock.now())
  if (refusal === undefined) return { enrolmentCodeHash: hash }
  logRefusal(logger, 'one_time_code_refused', refusal, { userId })
  throw new Invalid({ enrolmentCode: 'must be an unused enrolment code of this user' })
}
