import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../user-model/require-user.ts'
import { type SessionProfile, toSessionProfile } from './session-profile.ts'

/**
 * Returns the live sessions of a user, newest first. @throws UserNotFound
 * @example const sessions = await countersign.sessions.list({ email: 'ada@example.com' })
 */
export async function listSessions(
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  input: { readonly email: string },
): Promise<readonly SessionProfile[]> {
  const user = await requireUser(deps, input.email)
  const sessions = await deps.storage.sessions.ofUser(user.id, deps.clock.now())
  return sessions.map((session) => toSessionProfile(deps, session))
}
