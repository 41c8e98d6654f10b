import { createHash } from 'node:crypto'

/**
 * Returns the hash of a client's key for the rotation that spends this token. The key has at least 128 random bits, so a fast
 * hash suffices. The id of the token keeps the hash from matching at any other rotation.
 */
export const renewalKeyHash = (key: string, spentTokenId: string): string =>
  createHash('sha256').update(`countersign/v1/renewal-key\0${spentTokenId}\0${key}`).digest('base64url')
