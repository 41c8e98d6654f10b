import { toIsoTimestamp } from '../../shared/clock.ts'
import type { BaseDeps } from '../base-deps.ts'
import { codeLifetimes, type OneTimeCode, type OneTimeCodeKind } from '../records/one-time-code.ts'
import type { User } from '../records/user.ts'
import { hashOfCode, newCodeText } from './code-text.ts'

/** A new code. Countersign never shows the text again. */
export interface IssuedCode extends Pick<OneTimeCode, 'expiresAt'> {
  readonly code: string
}

/** The most codes of the kind `forgot` that a user has at a time. While they live, no other goes out: each of them works. */
const MOST_FORGOT = 3

/**
 * Issues a one-time code: of the kind `forgot` besides the others of the user, unless too many live; of any other kind in place of
 * an earlier one. The host gets the event `one_time_code_issued`. Returns `undefined` also for a user who is disabled or locked, or
 * who changes at the same time.
 */
export const issueCode = async (
  { storage, clock, random, logger }: Pick<BaseDeps, 'storage' | 'clock' | 'random' | 'logger'>,
  { id: userId, version }: Pick<User, 'id' | 'version'>,
  kind: OneTimeCodeKind,
): Promise<IssuedCode | undefined> => {
  const code = newCodeText(random)
  const createdAt = clock.now()
  const expiresAt = createdAt + codeLifetimes[kind]
  const stored = { userId, kind, hash: hashOfCode(code), createdAt, expiresAt }
  const isIssued = await storage.transaction(async (tx) => {
    if (kind === 'forgot') await tx.trust.lock(userId)
    // The user's row stays locked, so no code is issued between a lock of the account and the deletion of its codes.
    if (!(await tx.users.admit(userId, version))) return false
    if (kind === 'forgot') return tx.oneTimeCodes.issueForgot(stored, MOST_FORGOT)
    await tx.oneTimeCodes.issue(stored)
    return true
  })
  if (!isIssued) return undefined
  logger.info('one_time_code_issued', { userId, kind, expiresAt: toIsoTimestamp(expiresAt) })
  return { code, expiresAt }
}
