import { toBase64Url } from '../shared/crypto/base64.ts'
import { FieldNotOpened, type SealedField } from '../shared/crypto/field-encryption.ts'
import { deriveKey, type KeyRing } from '../shared/crypto/key-ring.ts'
import type { Logger } from '../shared/logger.ts'
import type { Random } from '../shared/random.ts'
import { sealedColumn } from './sealed-columns.ts'

/** The encrypted secrets that all servers of a database share. */
export interface SecretStore {
  /** Returns the secret with this id. If there is none, stores the fresh one: all concurrent callers get the same secret. */
  keepFirst(id: string, fresh: SealedField): Promise<SealedField>
}

/** The uses of keys for digests and decoys. Each use has a key of its own. */
export type DigestUse = 'login/sources' | 'passkeys/decoys' | 'devices/decoys' | 'passwords/decoys' | 'devices/push-tokens'

/** Returns the key of a use: the same on every server of the database, before and after every change of the encryption keys. */
export type DigestKey = (use: DigestUse) => Promise<Uint8Array>

const ID = 'digests'
const SECRET_BYTES = 32
const secretField = sealedColumn('secrets', 'secret')

/**
 * Derives the keys for digests and decoys from one random secret, which the first call stores, encrypted. What they hide cannot be
 * digested again, so the secret never changes. If it cannot be decrypted, users must still log in: the log says so, and the
 * current encryption key takes its place.
 */
export const digestKeys = ({
  storage: { secrets },
  encryptionKeys,
  random,
  logger,
}: {
  readonly storage: { readonly secrets: SecretStore }
  readonly encryptionKeys: KeyRing
  readonly random: Random
  readonly logger: Logger
}): DigestKey => {
  const readSecret = async (): Promise<Uint8Array> => {
    const fresh = secretField.seal({ encryptionKeys, random }, ID, toBase64Url(random.bytes(SECRET_BYTES)))
    const stored = await secrets.keepFirst(ID, fresh)
    try {
      return Buffer.from(secretField.open({ encryptionKeys }, ID, stored), 'base64url')
    } catch (error) {
      if (!(error instanceof FieldNotOpened)) throw error
      logger.error('digest_secret_not_opened', { missingKey: error.missingKey })
      return encryptionKeys.current.secret
    }
  }

  let secret: Promise<Uint8Array> | undefined
  const keys = new Map<DigestUse, Uint8Array>()
  return async (use) => {
    secret ??= readSecret().catch((error: unknown) => {
      secret = undefined
      throw error
    })
    const key = keys.get(use) ?? deriveKey(await secret, use)
    keys.set(use, key)
    return key
  }
}
