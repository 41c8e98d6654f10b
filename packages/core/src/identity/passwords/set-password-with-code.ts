import type { Checked } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import type { IdentityDeps } from '../deps.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { newSession } from '../sessions/open-session.ts'
import { notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import type { IdentityStores } from '../stores.ts'
import { ensureTokens, issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import type { Undone } from '../user-model/account-endings.ts'
import { UserChangedMeanwhile } from '../user-model/errors.ts'
import { checkedPassword } from './new-password.ts'
import { type PasswordCode, refusedCode, requirePasswordCode, requireUserOf } from './password-code.ts'

type SetPassword = Checked<'password.redeem'> & FromClient

const TRIES = 3

/**
 * Sets the password of a user by a one-time code. Ends every session of the user, removes every device and passkey on probation,
 * and notifies the user's devices. Of concurrent calls with one code, exactly one succeeds. With `signIn: true`, opens a session
 * as a login does.
 *
 * An administrator's code voids every other code of the user, and ends the mailbox mark of the account. A code for a forgotten
 * password voids only the others of its kind, and marks the account (see `MailboxMark`).
 * @throws InvalidOneTimeCode for every code that cannot be used, without a reason; UsersKeptByHost
 * @throws Invalid for a password that is refused; the code stays usable
 * @throws UserChangedMeanwhile, Unavailable
 * @example await countersign.password.setWithCode({ code, newPassword })
 */
export async function setPasswordWithCode(deps: IdentityDeps, input: SetPassword): Promise<TokenPair | undefined> {
  deps.passwords.ensureRoom?.()
  const { code, user } = await requirePasswordCode(deps, input.code)
  await checkedPassword(deps, input.newPassword, user, 'newPassword')
  const passwordHash = await deps.passwords.hash(input.newPassword)
  const { removed, user: changed, session } = await spendCode(deps, code, passwordHash, input)
  notifyOfChange(deps, { userId: code.userId, change: 'password_changed' })
  notifyOfUndone(deps, code.userId, removed)
  return session && issueTokens(deps, changed, session, session.createdAt)
}

/** Sets the password, and opens the session that was asked for. @throws InvalidOneTimeCode if the code is spent or has expired */
const spendCode = async (deps: IdentityDeps, code: PasswordCode, passwordHash: string, input: SetPassword) => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { id, version } = await requireUserOf(deps, code)
    const now = deps.clock.now()
    const login = { userId: id, authMethod: 'password', rememberMe: false, client: seenClient(input) } as const
    const session = input.signIn ? newSession(deps, login, now) : undefined
    const set = await deps.storage.transaction(async (tx) => {
      const user = await tx.users.change(id, version, { passwordHash }, now)
      if (user === undefined) return undefined
      const removed = await useCode(deps, tx, code, now)
      if (session !== undefined) {
        ensureTokens(deps, user, session, now)
        await tx.sessions.open(session, deps.options.sessionsPerUser)
      }
      return { removed, user, session }
    })
    if (set !== undefined) return set
  }
  throw new UserChangedMeanwhile()
}

/** Spends the code, and undoes what its user's sessions did. Returns what was removed. */
const useCode = async (deps: IdentityDeps, tx: IdentityStores, code: PasswordCode, now: Instant): Promise<Undone> => {
  const { hash, kind, userId } = code
  if (!(await tx.oneTimeCodes.spend({ hash, kind, userId, now }))) throw refusedCode(deps, 'used', code)
  if (kind === 'forgot') {
    await tx.oneTimeCodes.voidAllOfUser(userId, kind)
    await tx.trust.markMailbox({ userId, rememberedSince: now - deps.options.trustedDeviceMemory, now })
  } else {
    await tx.oneTimeCodes.voidAllOfUser(userId)
    await tx.trust.endMailboxMark(userId)
  }
  await tx.sessions.endAll({ userId }, 'password_changed', now)
  return undoEndedSessions(deps, tx, userId, now)
}
