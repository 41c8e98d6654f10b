import { type Instant, toIsoTimestamp } from '../../shared/clock.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { AccountLocked } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { clientKnownFor } from '../login-throttle/login-failures.ts'
import type { Trust } from '../records/trust.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { type NewSession, newSession, openSession } from '../sessions/open-session.ts'
import type { IdentityStores } from '../stores.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'

/** Returns the error for the holder of a key whose account is closed, with the message that everybody else gets. */
const accountLocked = ({ lockedAt, disabledAt, updatedAt }: User, { message }: Error): AccountLocked => {
  const since = toIsoTimestamp(lockedAt ?? disabledAt ?? updatedAt)
  return new AccountLocked(message, { reason: lockedAt === null ? 'disabled' : 'locked', since })
}

interface SignedLogin extends FromClient, Partial<Trust> {
  readonly rememberMe?: boolean | undefined
  /** Notes the use of the device or passkey. Returns `false` if it must no longer be used. */
  readonly use: (tx: IdentityStores) => Promise<boolean>
  /** Returns the error of a refusal, because of the user or of the device or passkey. */
  readonly refused: (because: 'user' | 'signer') => Error
}

/**
 * Opens a session for a user whose device or passkey signed, and issues its tokens. The same transaction marks the client as
 * known, so that the ceiling of passwords never stops it. @throws AccountLocked, or the error of `refused`
 */
export const logInBySignature = async (
  deps: IdentityDeps,
  user: User | undefined,
  login: Omit<NewSession, 'userId' | 'rememberMe' | 'client'>,
  { use, refused, rememberMe = false, trustedAt = null, ...client }: SignedLogin,
  now: Instant,
): Promise<TokenPair> => {
  const { clock, options, loginSourceOf } = deps
  if (user === undefined) throw refused('user')
  if (!mayLogIn(user)) throw accountLocked(user, refused('user'))
  const session = newSession(deps, { ...login, userId: user.id, rememberMe, client: seenClient(client) }, now)
  const { address } = client
  const isCounted = address !== undefined && options.rateLimits !== 'off'
  const source = isCounted ? await loginSourceOf(user.email, address, session.tenants) : undefined
  const opening = await openSession(deps, user, session, async (tx) => {
    if (!(await use(tx))) return 'signer' as const
    const seenAt = clock.now()
    if (source !== undefined) await tx.loginFailures.remember(source.client, seenAt, seenAt + clientKnownFor)
    return undefined
  })
  if ('refused' in opening) throw refused(opening.refused)
  return issueTokens(deps, opening.user, { ...session, trustedAt }, now)
}
