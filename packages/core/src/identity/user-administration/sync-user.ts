import { seenClient } from '../../shared/from-client.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import { newSession } from '../sessions/open-session.ts'
import { ensureTokens } from '../tokens/issue-tokens.ts'
import { TokenTooLong } from '../tokens/sign-token.ts'
import { UserDirectoryMistake } from '../user-model/directory.ts'
import { UserNotFound } from '../user-model/errors.ts'

/**
 * Updates a user from the directory. Optional: it ends the sessions of a disabled user before the next request, or tells the id of
 * a user who never logged in.
 * @throws UserNotFound if the user never logged in and is unknown or disabled in the directory
 * @throws UserDirectoryMistake if the user data does not fit in a token, so that the user could not log in
 * @example const { id } = await countersign.users.sync({ directoryId: customer.id })
 */
export async function syncUser(deps: IdentityDeps, input: { readonly directoryId: string }): Promise<UserProfile> {
  const user = await deps.users.byDirectoryId(input.directoryId)
  if (user === undefined) throw new UserNotFound()
  if (user.disabledAt !== null) return toProfile(user)
  // The tokens of a device login are the longest.
  const login = { userId: user.id, authMethod: 'biometric', deviceId: randomUuid(deps.random), rememberMe: false } as const
  const now = deps.clock.now()
  try {
    ensureTokens(deps, user, newSession(deps, { ...login, client: seenClient({}) }, now), now)
  } catch (cause) {
    if (!(cause instanceof TokenTooLong)) throw cause
    throw new UserDirectoryMistake('the user directory answered with a user whose permissions: must fit in a token', { cause })
  }
  return toProfile(user)
}
