import { toIsoTimestamp } from '../../shared/clock.ts'
import type { IdentityDeps } from '../deps.ts'
import { hashOfCode, newCodeText } from '../one-time-codes/code-text.ts'
import { codeLifetimes, type OneTimeCode, type OneTimeCodeKind } from '../records/one-time-code.ts'
import type { User } from '../records/user.ts'
import { UserRefused } from '../user-model/errors.ts'

/** A new code. Countersign never shows the text again. */
export interface IssuedCode extends Pick<OneTimeCode, 'expiresAt'> {
  readonly code: string
}

export type IssueCodeDeps = Pick<IdentityDeps, 'storage' | 'clock' | 'random' | 'logger'>

/**
 * Issues a one-time code to a user. The code replaces an earlier code of the same kind. The host gets the event
 * `one_time_code_issued`, and delivers the code to the user.
 *
 * @throws UserRefused if the user is disabled or locked, or changes at the same time
 */
export const issueCodeTo = async (
  { storage, clock, random, logger }: IssueCodeDeps,
  user: Pick<User, 'id' | 'version'>,
  kind: OneTimeCodeKind,
): Promise<IssuedCode> => {
  const code = newCodeText(random)
  const createdAt = clock.now()
  const expiresAt = createdAt + codeLifetimes[kind]
  const issued = await storage.transaction(async (tx) => {
    // The user's row stays locked, so no code is issued between a lock of the account and the deletion of its codes.
    if (!(await tx.users.admit(user.id, user.version))) return false
    await tx.oneTimeCodes.issue({ userId: user.id, kind, hash: hashOfCode(code), createdAt, expiresAt })
    return true
  })
  if (!issued) throw new UserRefused()
  logger.info('one_time_code_issued', { userId: user.id, kind, expiresAt: toIsoTimestamp(expiresAt) })
  return { code, expiresAt }
}
