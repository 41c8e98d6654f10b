import { FieldNotOpened, openField, type SealedField, sealField } from '../../shared/crypto/field-encryption.ts'
import type { FieldPlace } from '../../shared/crypto/sealed-columns.ts'
import type { IdentityDeps } from '../deps.ts'
import type { SeenClient } from '../login/from-client.ts'

const placeOf = (sessionId: string): FieldPlace => ({ table: 'sessions', column: 'opened_from', row: sessionId })

const unknownClient: SeenClient = { address: null, userAgent: null }

/** Encrypts the client that opened a session, bound to the row of the session. */
export const sealOpenedFrom = (
  { encryptionKeys, random }: Pick<IdentityDeps, 'encryptionKeys' | 'random'>,
  sessionId: string,
  { address, userAgent }: SeenClient,
): SealedField | null =>
  address === null && userAgent === null
    ? null
    : sealField(encryptionKeys, random, placeOf(sessionId), JSON.stringify({ address, userAgent }))

/** Returns the client that opened a session. @throws FieldNotOpened */
export const openOpenedFrom = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  sessionId: string,
  sealed: SealedField | null,
): SeenClient =>
  sealed === null ? unknownClient : (JSON.parse(openField(encryptionKeys, placeOf(sessionId), sealed)) as SeenClient)

/**
 * Returns the client that opened a session, and whether the field opened. Without the key, a person must still be able to list and
 * end the session, so the client is unknown then.
 */
export const tryOpenedFrom = (
  deps: Pick<IdentityDeps, 'encryptionKeys'>,
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
