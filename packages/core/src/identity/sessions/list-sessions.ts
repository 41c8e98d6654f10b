import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../users/require-user.ts'
import type { Session } from './session.ts'

/** A session without the ids of its refresh tokens. */
export type SessionProfile = Omit<Session, 'refreshTokenId' | 'previousRefreshTokenId'>

export const toSessionProfile = ({ refreshTokenId: _, previousRefreshTokenId: __, ...session }: Session): SessionProfile =>
  session

/** Returns the live sessions of a user, newest first. @throws UserNotFound */
export const listSessions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly SessionProfile[]> => {
  const user = await requireUser(deps, input.email)
  const sessions = await deps.storage.sessions.liveOfUser(user.id, deps.clock.now())
  return sessions.map(toSessionProfile)
}
