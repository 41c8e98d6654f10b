import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../users/require-user.ts'
import type { Session } from './session.ts'

/** A session as it may be shown: without the identities of its tokens. */
export type SessionProfile = Omit<Session, 'refreshTokenId' | 'previousRefreshTokenId'>

export const toSessionProfile = ({ refreshTokenId: _, previousRefreshTokenId: __, ...session }: Session): SessionProfile =>
  session

/** The live sessions of a user, newest first. @throws UserNotFound */
export const listSessions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string },
): Promise<readonly SessionProfile[]> => {
  const user = await requireUser(deps, input.email)
  const sessions = await deps.storage.sessions.liveOfUser(user.id, deps.clock.now())
  return sessions.map(toSessionProfile)
}
