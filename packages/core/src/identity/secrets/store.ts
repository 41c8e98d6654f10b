import type { SealedField } from '../../shared/crypto/field-encryption.ts'

/** The encrypted secrets that all servers of a database share. */
export interface SecretStore {
  byId(id: string): Promise<SealedField | undefined>
  /**
   * Stores a secret, unless the id has one. Returns the stored secret. One atomic statement: all of any number of concurrent
   * callers get the same secret.
   */
  keepFirst(id: string, secret: SealedField): Promise<SealedField>
}
