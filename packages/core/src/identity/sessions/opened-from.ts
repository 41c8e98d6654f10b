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

/**
 * Returns the client that opened a session. Returns no address where the field does not open, for example without the key: a
 * person must still be able to list and end the session.
 */
export const openOpenedFrom = (
  { encryptionKeys }: Pick<IdentityDeps, 'encryptionKeys'>,
  sessionId: string,
  sealed: SealedField | null,
): SeenClient => {
  if (sealed === null) return unknownClient
  try {
    return JSON.parse(openField(encryptionKeys, placeOf(sessionId), sealed)) as SeenClient
  } catch (error) {
    if (error instanceof FieldNotOpened) return unknownClient
    throw error
  }
}
