import type { Opening } from '../../shared/crypto/field-encryption.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import type { Session } from '../records/session.ts'
import { openOpenedFrom, tryOpenedFrom } from './opened-from.ts'

type Secret = 'refreshTokenId' | 'previousRefreshTokenId' | 'renewalKeyHash' | 'openedFrom'

/** A session for display: without the ids of its refresh tokens, and with the client that opened the session. */
export type SessionProfile = Omit<Session, Secret> & SeenClient

const withoutTokens = ({
  refreshTokenId: _,
  previousRefreshTokenId: _previous,
  renewalKeyHash: _key,
  openedFrom: _from,
  ...session
}: Session) => session

/** Returns a session for display. The client is unknown if its field cannot be decrypted. */
export const toSessionProfile = (deps: Opening, session: Session): SessionProfile => ({
  ...withoutTokens(session),
  ...tryOpenedFrom(deps, session.id, session.openedFrom).client,
})

/** Returns a session for an administrator, who learns if the field of the client cannot be decrypted. */
export const toAdminProfile = (deps: Opening, session: Session): SessionProfile & { readonly clientOpened: boolean } => {
  const { client, opened } = tryOpenedFrom(deps, session.id, session.openedFrom)
  return { ...withoutTokens(session), ...client, clientOpened: opened }
}

/** Returns a session for an export, which must not lack the client. @throws FieldNotOpened */
export const toExportedSession = (deps: Opening, session: Session): SessionProfile => ({
  ...withoutTokens(session),
  ...openOpenedFrom(deps, session.id, session.openedFrom),
})
