import type { IdentityDeps } from '../deps.ts'
import type { SeenClient } from '../login/from-client.ts'
import { requireUser } from '../users/require-user.ts'
import { openOpenedFrom } from './opened-from.ts'
import type { Session } from './session.ts'

/** A session for display: without the ids of its refresh tokens, and with the client that opened the session. */
export type SessionProfile = Omit<Session, 'refreshTokenId' | 'previousRefreshTokenId' | 'openedFrom'> & SeenClient

export const toSessionProfile = (
  deps: Pick<IdentityDeps, 'encryptionKeys'>,
  { refreshTokenId: _, previousRefreshTokenId: __, openedFrom, ...session }: Session,
): SessionProfile => ({ ...session, ...openOpenedFrom(deps, session.id, openedFrom) })

/** Returns the live sessions of a user, newest first. @throws UserNotFound */
export const listSessions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys'>,
  input: { readonly email: string },
): Promise<readonly SessionProfile[]> => {
  const user = await requireUser(deps, input.email)
  const sessions = await deps.storage.sessions.liveOfUser(user.id, deps.clock.now())
  return sessions.map((session) => toSessionProfile(deps, session))
}
