import type { Opening, Sealing } from '../../shared/crypto/field-encryption.ts'
import { FieldNotOpened, type SealedField } from '../../shared/crypto/field-encryption.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import { sealedJson } from '../sealed-columns.ts'

const openedFrom = sealedJson<SeenClient>('sessions', 'opened_from')

const unknownClient: SeenClient = { address: null, userAgent: null }

/** Encrypts the client that opened a session, bound to the row of the session. */
export const sealOpenedFrom = (deps: Sealing, sessionId: string, { address, userAgent }: SeenClient): SealedField | null =>
  address === null && userAgent === null ? null : openedFrom.seal(deps, sessionId, { address, userAgent })

/** Returns the client that opened a session. @throws FieldNotOpened */
export const openOpenedFrom = (deps: Opening, sessionId: string, sealed: SealedField | null): SeenClient =>
  sealed === null ? unknownClient : openedFrom.open(deps, sessionId, sealed)

/**
 * Returns the client that opened a session, and whether the field could be decrypted. Without the key, a person must still be
 * able to list and end the session, so the client is unknown then.
 */
export const tryOpenedFrom = (
  deps: Opening,
  sessionId: string,
  sealed: SealedField | null,
): { readonly client: SeenClient; readonly opened: boolean } => {
  try {
    return { client: openOpenedFrom(deps, sessionId, sealed), opened: true }
  } catch (error) {
    if (error instanceof FieldNotOpened) return { client: unknownClient, opened: false }
    throw error
  }
}
