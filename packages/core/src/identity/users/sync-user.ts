import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import { newSession } from '../sessions/new-session.ts'
import { ensureTokens } from '../tokens/issue-tokens.ts'
import { TokenTooLong } from '../tokens/token-too-long.ts'
import { UserDirectoryMistake } from './directory-mistake.ts'
import { UserNotFound } from './errors.ts'
import { toProfile, type User, type UserProfile } from './user.ts'

type SyncDeps = Pick<IdentityDeps, 'users' | 'clock' | 'random' | 'tokenKeys' | 'options' | 'logger'>

/**
 * Takes over what the host's directory says of a user now. Nothing needs this to be right; it lets a host end the sessions
 * of a user whom it disabled before their next request, and know the id of one who has never logged in.
 *
 * @throws UserNotFound where the directory has no such user, or has them disabled, and they never logged in
 * @throws UserDirectoryMistake where it says more of the user than a token can tell, so that they could not log in
 */
export const syncUser = async (deps: SyncDeps, input: { readonly directoryId: string }): Promise<UserProfile> => {
  const user = await deps.users.byDirectoryId(input.directoryId)
  if (user === undefined) throw new UserNotFound()
  if (user.disabledAt === null) await ensureLogin(deps, user)
  return toProfile(user)
}

/** By a device, whose tokens are the longest. */
const ensureLogin = async (deps: SyncDeps, user: User): Promise<void> => {
  const login = { userId: user.id, authMethod: 'biometric', deviceId: randomUuid(deps.random), rememberMe: false } as const
  const now = deps.clock.now()
  try {
    ensureTokens(deps, user, newSession(deps, login, now), now)
  } catch (cause) {
    if (!(cause instanceof TokenTooLong)) throw cause
    throw new UserDirectoryMistake('the user directory answered with a user whose permissions: must fit in a token', { cause })
  }
}
