import { FieldNotOpened, type Opening, type SealedField, type Sealing } from '../../shared/crypto/field-encryption.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import type { Session } from '../records/session.ts'
import { sealedJson } from '../sealed-columns.ts'

const openedFrom = sealedJson<SeenClient>('sessions', 'opened_from')

const unknownClient: SeenClient = { address: null, userAgent: null }

/** Encrypts the client that opened a session, bound to the row of the session. */
export const sealOpenedFrom = (deps: Sealing, sessionId: string, { address, userAgent }: SeenClient): SealedField | null =>
  address === null && userAgent === null ? null : openedFrom.seal(deps, sessionId, { address, userAgent })

/** Returns the client that opened a session. @throws FieldNotOpened */
const openOpenedFrom = (deps: Opening, sessionId: string, sealed: SealedField | null): SeenClient =>
  sealed === null ? unknownClient : openedFrom.open(deps, sessionId, sealed)

/** Returns the client that opened a session, and whether its field was decrypted. A session can be ended without the key. */
const tryOpenedFrom = (deps: Opening, sessionId: string, sealed: SealedField | null) => {
  try {
    return { client: openOpenedFrom(deps, sessionId, sealed), clientOpened: true }
  } catch (error) {
    if (error instanceof FieldNotOpened) return { client: unknownClient, clientOpened: false }
    throw error
  }
}

type Secret = 'refreshTokenId' | 'previousRefreshTokenId' | 'renewalKeyHash' | 'openedFrom'

/** A session for display: without the ids of its refresh tokens, and with the client that opened the session. */
export type SessionProfile = Omit<Session, Secret> & SeenClient

const withoutTokens = (session: Session): Omit<Session, Secret> => {
  const { refreshTokenId: _, previousRefreshTokenId: _previous, renewalKeyHash: _key, openedFrom: _from, ...shown } = session
  return shown
}

/** Returns a session for display. The client is unknown if its field cannot be decrypted. */
export const toSessionProfile = (deps: Opening, session: Session): SessionProfile => ({
  ...withoutTokens(session),
  ...tryOpenedFrom(deps, session.id, session.openedFrom).client,
})

/** Returns a session for an administrator, who learns if the field of the client cannot be decrypted. */
export const toAdminProfile = (deps: Opening, session: Session): SessionProfile & { readonly clientOpened: boolean } => {
  const { client, clientOpened } = tryOpenedFrom(deps, session.id, session.openedFrom)
  return { ...withoutTokens(session), ...client, clientOpened }
}

/** Returns a session for an export, which must not lack the client. @throws FieldNotOpened */
export const toExportedSession = (deps: Opening, session: Session): SessionProfile => ({
  ...withoutTokens(session),
  ...openOpenedFrom(deps, session.id, session.openedFrom),
})
