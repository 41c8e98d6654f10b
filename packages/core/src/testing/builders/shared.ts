import type { StoredPushToken } from '../../identity/records/device.ts'
import { toBase64, toBase64Url } from '../../shared/crypto/base64.ts'
import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import { randomUuid, systemRandom } from '../../shared/random.ts'

/** Returns a new UUID. */
export const uuid = (): string => randomUuid(systemRandom)

/** Returns 64 random bytes as padded base64, like every challenge and nonce. */
export const aChallengeText = (): string => toBase64(systemRandom.bytes(64))

/** Returns a text in the form of an encrypted field. No key decrypts the field, because a storage never decrypts. */
export const aSealedField = (): SealedField => `v1.test.${toBase64Url(systemRandom.bytes(60))}` as SealedField

/** Returns a new push token as it is stored. */
export const aPushToken = (): StoredPushToken => ({ sealed: aSealedField(), digest: toBase64Url(systemRandom.bytes(32)) })
