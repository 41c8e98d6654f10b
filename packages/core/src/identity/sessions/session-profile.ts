import type { IdentityDeps } from '../deps.ts'
import type { SeenClient } from '../login/from-client.ts'
import { openOpenedFrom } from './opened-from.ts'
import type { Session } from './session.ts'

/** A session for display: without the ids of its refresh tokens, and with the client that opened the session. */
export type SessionProfile = Omit<Session, 'refreshTokenId' | 'previousRefreshTokenId' | 'openedFrom'> & SeenClient

/** Returns a session for display. @throws FieldNotOpened */
export const toSessionProfile = (
  deps: Pick<IdentityDeps, 'encryptionKeys'>,
  { refreshTokenId: _, previousRefreshTokenId: __, openedFrom, ...session }: Session,
): SessionProfile => ({ ...session, ...openOpenedFrom(deps, session.id, openedFrom) })
